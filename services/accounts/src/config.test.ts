import { expect, it } from 'vitest';
import { loadAccountsConfig } from './config.ts';

const url = 'http://127.0.0.1:1';
const key = '-----BEGIN PRIVATE KEY-----';
const secret = 'a secret of at least 32 characters';
const environment = {
  PORT: '8081',
  DATABASE_URL: 'postgres://127.0.0.1:2/daylift',
  NATS_URL: 'nats://127.0.0.1:3',
  IDENTITY_PRIVATE_KEY: key,
  IDENTITY_PUBLIC_KEYS: `gateway=${'A'.repeat(59)}=`,
  JWT_PRIVATE_KEY: key,
  IDENTITY_HASH_KEY: secret,
  ONE_TIME_CODE_KEY: secret,
  ADMIN_SECRET_KEY: secret,
  PRODUCT_NAME: 'Daylift',
  SUPPORT_EMAIL: 'support@daylift.example',
  BILLING_URL: url,
  SCHEDULER_URL: url,
  SMS_GATEWAY_URL: url,
  PUBLIC_URL: 'https://daylift.example',
  SMTP_URL: 'smtp://127.0.0.1:4',
  MAIL_FROM: 'hello@daylift.example',
};

it('hashes passwords more cheaply only with the sandbox', () => {
  expect(loadAccountsConfig(environment).PASSWORD_HASH_MEMORY).toBe(19_456);
  const weakHashing = { ...environment, PASSWORD_HASH_MEMORY: '64' };
  expect(() => loadAccountsConfig(weakHashing)).toThrow('SANDBOX_URL');
  expect(loadAccountsConfig({ ...weakHashing, SANDBOX_URL: url }).PASSWORD_HASH_MEMORY).toBe(64);
});
