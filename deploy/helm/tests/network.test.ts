import { describe, expect, it } from 'vitest';
import { processNames } from '../../local/processes.ts';
import { type KubeObject, named, ofKind, render, set, valuesFile } from './helm.ts';

const production = render(...valuesFile('production'));
const sandboxed = render(...set('sandbox.enabled=true'));
const services = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'];

describe('network policies', () => {
  const policies = ofKind(production, 'NetworkPolicy').filter(
    ({ metadata }) => !metadata.annotations,
  );
  const component = ({ podSelector }: KubeObject): string =>
    podSelector?.matchLabels['app.kubernetes.io/component'];
  const portsOf = (rule: KubeObject): number[] => rule.ports.map(({ port }: KubeObject) => port);
  const short = ({ metadata }: KubeObject): string => metadata.name.replace('daylift-', '');
  const withEgressTo = (port: number): string[] =>
    policies
      .filter(({ spec }) => spec.egress.some((rule: KubeObject) => portsOf(rule).includes(port)))
      .map(short);

  it('close every pod in both directions', () => {
    expect(policies.map(short).sort()).toEqual(
      processNames.filter((name) => name !== 'sandbox').sort(),
    );
    for (const { spec } of policies) {
      expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
      for (const rule of spec.egress) expect(portsOf(rule).length).toBeGreaterThan(0);
    }
  });

  it('open each server to its clients', () => {
    expect(withEgressTo(5432)).toEqual([
      'accounts',
      'billing',
      'content',
      'scheduler',
      'sms-gateway',
      'sms-worker',
    ]);
    expect(withEgressTo(4222)).toEqual(services);
    expect(withEgressTo(6379)).toEqual(['gateway', 'sms-gateway', 'sms-worker']);
    expect(withEgressTo(587)).toEqual(['accounts', 'billing', 'sms-gateway']);
  });

  it('open the internet, without private networks, to clients of a provider', () => {
    expect(withEgressTo(443)).toEqual(['billing', 'sms-gateway', 'sms-worker']);
    for (const { spec } of policies)
      for (const { ports, to } of spec.egress.filter((rule: KubeObject) =>
        portsOf(rule).includes(443),
      )) {
        expect(ports).toHaveLength(1);
        expect(to[0].ipBlock).toMatchObject({
          cidr: '0.0.0.0/0',
          except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']),
        });
      }
  });

  it('open a trace collector to every process, if there is one', () => {
    expect(withEgressTo(4318)).toEqual([]);
    const traced = ofKind(
      render(...valuesFile('production'), ...set('telemetry.endpoint=http://otel.svc:4318')),
      'NetworkPolicy',
    ).filter(({ spec }) =>
      spec.egress.some((rule: KubeObject) =>
        (rule.ports ?? []).some(({ port }: KubeObject) => port === 4318),
      ),
    );
    expect(traced.map(short).sort()).toEqual(policies.map(short).sort());
  });

  it('open services to their callers', () => {
    const callers = Object.fromEntries(
      policies
        .filter((one) => short(one) !== 'gateway')
        .map((one) => [short(one), (one.spec.ingress[0].from ?? []).map(component)]),
    );
    expect(callers).toEqual({
      accounts: ['billing', 'gateway', 'scheduler'],
      billing: ['accounts', 'gateway'],
      content: ['gateway'],
      scheduler: ['accounts', 'gateway'],
      'sms-gateway': ['accounts', 'gateway', 'scheduler'],
      'sms-worker': ['gateway'],
    });
  });

  it('open probes and metrics only to Prometheus, and to the sandbox', () => {
    const openedTo = (objects: KubeObject[]) =>
      ofKind(objects, 'NetworkPolicy')
        .filter((one) => !one.metadata.annotations && short(one) !== 'sandbox')
        .map(({ spec }) =>
          spec.ingress
            .filter((rule: KubeObject) => portsOf(rule).includes(9090))
            .flatMap(({ from }: KubeObject) => from),
        );
    const prometheus = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
    };
    for (const peers of openedTo(production)) expect(peers).toEqual([prometheus]);
    for (const peers of openedTo(sandboxed)) expect(peers.map(component)).toEqual(['sandbox']);
    expect(named(production, 'ServiceMonitor', 'daylift').spec.endpoints).toMatchObject([
      { port: 'ops', path: '/metrics' },
    ]);
  });

  it('replace the providers by the sandbox, without internet access', () => {
    const all = ofKind(sandboxed, 'NetworkPolicy').flatMap(({ spec }) => spec.egress ?? []);
    expect(all.flatMap(portsOf)).not.toContain(443);
  });
});

describe('public traffic', () => {
  it.each(['Ingress', 'HTTPRoute'])('reaches only the gateway, by two hosts: %s', (kind) => {
    const gatewayApi = set(
      'ingress.enabled=false',
      'gatewayApi.enabled=true',
      'gatewayApi.parentRefs[0].name=public',
    );
    const objects =
      kind === 'Ingress' ? production : render(...valuesFile('production'), ...gatewayApi);
    const doors = ofKind(objects, kind);
    expect(doors.map(({ spec }) => spec.hostnames?.[0] ?? spec.rules[0].host).sort()).toEqual([
      'admin.daylift.example.com',
      'daylift.example.com',
    ]);
    expect(
      JSON.stringify(doors.map(({ spec }) => spec.rules)).match(/"name":"daylift-[a-z]+"/g),
    ).toEqual(Array(2).fill('"name":"daylift-gateway"'));
  });

  it("uses host names known to the gateway, including the sandbox's webhooks", () => {
    expect(named(production, 'ConfigMap', 'daylift').data).not.toHaveProperty('ALLOWED_HOSTS');
    const { data } = named(sandboxed, 'ConfigMap', 'daylift');
    expect(data.ALLOWED_HOSTS).toBe(new URL(data.STRIPE_WEBHOOK_URL).hostname);
  });

  it("to operators' URLs uses their host", () => {
    expect(named(production, 'ConfigMap', 'daylift').data).toMatchObject({
      PUBLIC_URL: 'https://daylift.example.com',
      ADMIN_URL: 'https://admin.daylift.example.com',
      ALLOWED_ORIGINS: 'https://daylift.example.com',
      TRUSTED_PROXIES: '10.0.0.0/8',
    });
  });
});
