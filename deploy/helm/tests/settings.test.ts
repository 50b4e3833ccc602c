import { describe, expect, it } from 'vitest';
import type { ProcessName } from '../../local/processes.ts';
import { sandboxKeys, secretFiles } from '../../secrets/secret-files.ts';
import { likeLiveKeys, loadSettings, newSecrets } from '../../secrets/test/load-settings.ts';
import { type KubeObject, named, ofKind, render, set, valuesFile } from './helm.ts';

const secrets = newSecrets();
const addresses = {
  postgres: 'postgres.example:5432?sslmode=verify-full',
  redis: 'rediss://:secret@redis.example:6379',
  nats: 'tls://user:secret@nats.example:4222',
  smtp: 'smtps://user:secret@mail.example:465',
};
const liveKeys = likeLiveKeys(secrets);

/** Returns the container's environment, with secrets as paths. */
function environmentOf(objects: KubeObject[], deployment: KubeObject): Record<string, string> {
  const [container] = deployment.spec.template.spec.containers;
  const settings = named(objects, 'ConfigMap', container.envFrom[0].configMapRef.name).data;
  const own = container.env.map(({ name, value }: { name: string; value: string }) => [
    name,
    value,
  ]);
  return { ...settings, ...Object.fromEntries(own) };
}

describe.each([
  ['values-dev', valuesFile('dev'), sandboxKeys(secrets)],
  ['values-production', valuesFile('production'), liveKeys],
  [
    'production with a first owner',
    [...valuesFile('production'), ...set('firstOwner.fromSecret=true')],
    liveKeys,
  ],
] as const)('%s', (_name, args, keys) => {
  const objects = render(...args);
  const files = secretFiles(secrets, addresses, keys);

  it.each(ofKind(objects, 'Deployment').map((one) => [one.metadata.name, one] as const))(
    '%s gets all required settings, and accepts them',
    (name, deployment) => {
      const process = name.replace('daylift-', '') as ProcessName;
      const { volumes } = deployment.spec.template.spec;
      const service = volumes[0].secret.secretName.replace('daylift-', '');
      const config = loadSettings(
        process,
        environmentOf(objects, deployment),
        files[service] ?? {},
      );
      expect(config).toMatchObject({ HOST: '0.0.0.0', LOG_LEVEL: 'info' });
    },
  );

  it('the Secrets contain exactly what is mounted and read', () => {
    for (const { metadata, spec } of ofKind(objects, 'Deployment')) {
      const { secret } = spec.template.spec.volumes[0];
      const have = Object.keys(files[secret.secretName.replace('daylift-', '')] ?? {});
      const mounted = secret.items.map(({ key }: { key: string }) => key);
      expect(have, metadata.name).toEqual(expect.arrayContaining(mounted));
      const unused = have.filter(
        (key) => !mounted.includes(key) && !/^(ADMIN_(USER|PASS)|SMTP_URL)/.test(key),
      );
      expect(unused, metadata.name).toEqual([]);
    }
  });
});

it('every process accepts a trace collector, its key and the sampling ratio', () => {
  const objects = render(
    ...valuesFile('production'),
    ...set('telemetry.endpoint=http://otel.svc:4318', 'telemetry.ratio=0.01'),
    ...set('telemetry.headersFromSecret=true'),
  );
  const key = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=abc' };
  const files = secretFiles(secrets, addresses, liveKeys);
  for (const deployment of ofKind(objects, 'Deployment')) {
    const process = deployment.metadata.name.replace('daylift-', '') as ProcessName;
    const service = process === 'sms-worker' ? 'sms-gateway' : process;
    const settings = environmentOf(objects, deployment);
    expect(settings).not.toHaveProperty('OTEL_EXPORTER_OTLP_HEADERS');
    expect(loadSettings(process, settings, { ...files[service], ...key })).toMatchObject({
      ...key,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.svc:4318',
      OTEL_TRACES_SAMPLER_ARG: 0.01,
    });
  }
});

it('a live key with the sandbox prevents every process that has one from starting', () => {
  const objects = render(...valuesFile('dev'));
  const files = secretFiles(secrets, addresses, liveKeys);
  for (const name of ['billing', 'sms-gateway', 'sms-worker'] as const) {
    const deployment = named(objects, 'Deployment', `daylift-${name}`);
    const service = name === 'sms-worker' ? 'sms-gateway' : name;
    expect(() =>
      loadSettings(name, environmentOf(objects, deployment), files[service] ?? {}),
    ).toThrow();
  }
});
