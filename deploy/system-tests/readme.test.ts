import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from './stack-for-test.ts';

let running: TestStack;

beforeAll(async () => {
  running = await startTestStack({ CLOCK_START: '2027-04-05T15:20:00Z' });
}, 180_000);

afterAll(() => running?.stop());

test("the main flow works with the README's curl calls, word for word", async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const script = /```bash\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: {
      ...process.env,
      PRODUCT: running.stack.urls.gateway,
      SANDBOX: running.stack.urls.sandbox,
      ADMIN_USERNAME: running.stack.adminCredentials.username,
      ADMIN_PASSWORD: running.stack.adminCredentials.password,
    },
  });
  expect(stdout).toContain('{"payment_status":"paid","trial":true}');
  expect(stdout.match(/ delivered Welcome to Daylift/g)).toHaveLength(1);
  expect(stdout.match(/^2027-04-06T11:00.* delivered /gm)).toHaveLength(1);
  expect(stdout).toContain('"status":"delivered"');
  expect(stdout).toContain('"status":"active"');
  expect(stdout).toContain('"total":4.99');
  for (const on of [true, false]) {
    expect(stdout).toContain(`"testing_mode_enabled":${on}`);
    expect(stdout).toContain(`"frozen":${on}`);
  }
});
