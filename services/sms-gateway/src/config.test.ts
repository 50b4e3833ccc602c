import { testPublicKeys } from '@daylift/testing/identity';
import { expect, it } from 'vitest';
import { loadSmsConfig } from './config.ts';

const environment = {
  PORT: '0',
  DATABASE_URL: 'postgres://127.0.0.1/x',
  REDIS_URL: 'redis://127.0.0.1',
  NATS_URL: 'nats://127.0.0.1',
  PUBLIC_URL: 'http://localhost:8080',
  IDENTITY_PUBLIC_KEYS: testPublicKeys,
  NUMBER_HASH_KEY: 'x'.repeat(32),
  ONE_TIME_CODE_KEY: 'c'.repeat(32),
  PRODUCT_NAME: 'Daylift',
  SUPPORT_EMAIL: 'support@daylift.example',
  SMTP_URL: 'smtp://127.0.0.1:2525',
  MAIL_FROM: 'hello@daylift.example',
  TELNYX_API_KEY: 'KEYSANDBOX1',
  TELNYX_PUBLIC_KEY: `${'A'.repeat(43)}=`,
  SMS_FROM: '+18885550123',
  SANDBOX_URL: 'http://127.0.0.1:8090',
};

it('reads required settings and has defaults for the rest', () => {
  expect(loadSmsConfig(environment)).toMatchObject({
    SMS_RATE_PER_SECOND: 50,
    SEND_LEASE_MS: 30_000,
    PROVIDER_TIMEOUT_MS: 10_000,
  });
});

it("rejects a real key with the sandbox, and the sandbox's key without it", () => {
  expect(() => loadSmsConfig({ ...environment, TELNYX_API_KEY: 'KEY0123' })).toThrow('both live');
  const { SANDBOX_URL: _, ...withoutSandbox } = environment;
  expect(() => loadSmsConfig(withoutSandbox)).toThrow('both live');
  expect(
    loadSmsConfig({ ...withoutSandbox, TELNYX_API_KEY: 'KEY0123' }).SANDBOX_URL,
  ).toBeUndefined();
});

it('rejects a lease shorter than the provider timeout', () => {
  expect(() => loadSmsConfig({ ...environment, SEND_LEASE_MS: '5000' })).toThrow('longer');
});
