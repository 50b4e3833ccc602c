import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../local/test/temporary-folder.ts';
import { sandboxKeys, secretFiles } from '../../secrets/secret-files.ts';
import { likeLiveKeys, newSecrets } from '../../secrets/test/load-settings.ts';
import { startFakeCluster } from './fake-cluster.ts';
import { number, renderOnCluster, set } from './helm.ts';

const secrets = newSecrets();
const addresses = { postgres: 'p:5432', redis: 'redis://r', nats: 'nats://n', smtp: 'smtp://m' };
const named = (keys = sandboxKeys(secrets)): Record<string, Record<string, string>> =>
  Object.fromEntries(
    Object.entries(secretFiles(secrets, addresses, keys)).map(([name, files]) => [
      `daylift-${name}`,
      files,
    ]),
  );
const live = likeLiveKeys(secrets);
const sandbox = set('sandbox.enabled=true');

/**
 * Returns the error that the chart raises in a cluster with these Secrets, or ''. Errors about other missing objects
 * are ignored.
 */
async function chartErrorFor(
  secrets: Record<string, Record<string, string>>,
  args: string[],
): Promise<string> {
  const cluster = await startFakeCluster(secrets);
  const path = join(temporaryFolder(), 'kubeconfig');
  writeFileSync(path, cluster.kubeconfig);
  const words = await renderOnCluster(path, args);
  cluster.close();
  expect(words).toMatch(/execution error|build kubernetes objects/);
  return /execution error at [^ ]+ (.*)/s.exec(words)?.[1] ?? '';
}

it('complete Secrets are accepted, live and with the sandbox', async () => {
  expect(await chartErrorFor(named(), sandbox)).toBe('');
  expect(await chartErrorFor(named(live), number)).toBe('');
});

it('a missing Secret is named, with where the instructions are', async () => {
  const { 'daylift-content': _missing, ...others } = named();
  const words = await chartErrorFor(others, sandbox);
  expect(words).toMatch(
    /Secret daylift-content is missing in the namespace daylift.*deploy\/README\.md/s,
  );
});

it('a missing key is named', async () => {
  const secrets = named();
  delete secrets['daylift-sms-gateway']?.NUMBER_HASH_KEY;
  const words = await chartErrorFor(secrets, sandbox);
  expect(words).toContain('daylift-sms-gateway has no key NUMBER_HASH_KEY');
});

it('a mix of live and sandbox keys is rejected, either way', async () => {
  const { STRIPE_API_KEY: _stripe, STRIPE_WEBHOOK_SECRET: _hook, ...telnyx } = live;
  for (const keys of [live, { ...sandboxKeys(secrets), ...telnyx }]) {
    const words = await chartErrorFor(named(keys), sandbox);
    expect(words).toMatch(/contains a live key, but sandbox\.enabled is true/);
    for (const value of Object.values(live)) expect(words).not.toContain(value);
  }
  expect(await chartErrorFor(named(), number)).toMatch(/contains the sandbox's key, but/);
});

it('the check of Secrets can be turned off', async () => {
  expect(await chartErrorFor({}, [...sandbox, ...set('secrets.check=false')])).toBe('');
});
