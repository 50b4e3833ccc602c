import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../local/test/temporary-folder.ts';

function make(folder: string, args: string[] = [], env: Record<string, string> = {}) {
  const script = join(import.meta.dirname, 'make-secrets.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return { status, words: `${stdout}${stderr}` };
}

const read = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  );

it('keys are generated once, and a second run only updates addresses', () => {
  const folder = join(temporaryFolder(), 'secrets');
  const { words } = make(folder);
  const first = read(folder);
  expect(make(folder, ['--redis', 'redis://elsewhere:6379']).status).toBe(0);
  expect(read(folder)).toEqual({
    ...first,
    '/gateway/REDIS_URL': 'redis://elsewhere:6379',
    '/sms-gateway/REDIS_URL': 'redis://elsewhere:6379',
  });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const secret of Object.values(JSON.parse(first['/all.json'] ?? '{}')))
    if (typeof secret === 'string' && secret !== 'owner') expect(words).not.toContain(secret);
});

it('live keys come from the environment, and no sandbox files are stored with them', () => {
  const folder = join(temporaryFolder(), 'secrets');
  make(folder);
  const refused = make(folder, ['--live'], { STRIPE_API_KEY: 'sk_x' });
  expect(refused).toMatchObject({
    status: 1,
    words: expect.stringMatching(/Set .*TELNYX_API_KEY/),
  });
  const keys = {
    STRIPE_API_KEY: 'sk_x',
    STRIPE_WEBHOOK_SECRET: 'wh_x',
    TELNYX_API_KEY: 'KEY_x',
    TELNYX_PUBLIC_KEY: 'x=',
  };
  expect(make(folder, ['--live'], keys).status).toBe(0);
  const files = read(folder);
  expect(files['/billing/STRIPE_API_KEY']).toBe('sk_x');
  expect(files['/sms-gateway/TELNYX_API_KEY']).toBe('KEY_x');
  expect(Object.keys(files).filter((path) => path.startsWith('/sandbox'))).toEqual([]);
});
