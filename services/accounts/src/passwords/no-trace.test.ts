import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import type { LoginResponse, SignupResponse } from '@daylift/contracts/accounts.http';
import { createDatabase } from '@daylift/database/create-database';
import { type Identity, identityHeader } from '@daylift/server/identity';
import { eventually } from '@daylift/testing/eventually';
import { signTestIdentity, testIdentityKey, testPublicKeys } from '@daylift/testing/identity';
import { requiredUrl } from '@daylift/testing/servers';
import { type RunningProcess, startProcess } from '@daylift/testing/service-process';
import { createSmtpServer } from '@daylift/testing/smtp-server';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aSignup } from '../../test/factories.ts';

const sign = signTestIdentity('accounts');
const smtp = createSmtpServer();
let database: TestDatabase;
let accounts: RunningProcess;

beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'accounts',
    folder: join(import.meta.dirname, '../../migrations'),
  });
  const keys = generateKeyPairSync('ed25519');
  const unreachable = 'http://127.0.0.1:9';
  accounts = await startProcess('accounts', {
    LOG_LEVEL: 'trace',
    DATABASE_URL: database.url,
    NATS_URL: requiredUrl('TEST_NATS_URL'),
    BILLING_URL: unreachable,
    SCHEDULER_URL: unreachable,
    SMS_GATEWAY_URL: unreachable,
    IDENTITY_PUBLIC_KEYS: testPublicKeys,
    IDENTITY_PRIVATE_KEY: testIdentityKey('accounts').privateKey,
    JWT_PRIVATE_KEY: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    IDENTITY_HASH_KEY: 'a-key-for-tests-that-is-long-enough!',
    ONE_TIME_CODE_KEY: 'another-key-for-tests-that-is-long-enough',
    ADMIN_SECRET_KEY: 'a-third-key-for-tests-that-is-long-enough',
    PRODUCT_NAME: 'Daylift',
    SUPPORT_EMAIL: 'support@daylift.test',
    PUBLIC_URL: 'https://daylift.test',
    SMTP_URL: `smtp://127.0.0.1:${await smtp.listen()}`,
    MAIL_FROM: 'hello@daylift.test',
  });
});
afterAll(async () => {
  await accounts?.stop();
  await smtp.close();
  await database?.drop();
});

async function post<T>(path: string, body: unknown, as?: Identity) {
  const response = await fetch(`${accounts.url}${path}`, {
    method: 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as && { [identityHeader]: sign(as) }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
}

async function dumpRows(): Promise<Record<string, string>> {
  const db = createDatabase<Record<string, never>>({
    url: database.url,
    name: 'test',
    onError: () => undefined,
  });
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'accounts'`.execute(db);
  const rows: Record<string, string> = {};
  for (const { name } of tables.rows)
    rows[name] = JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows);
  await db.destroy();
  return rows;
}

it('No log, event or stored mail contains a code, a password or a number', async () => {
  const phone = '+13125554711';
  const email = 'canary.person@example.com';
  const passwords = ['canary-first', 'canary-second', 'canary-third', 'canary-wrong'];
  const [first, second, third, wrong] = passwords;
  const form = { email, phone, password: first ?? '', confirmPassword: first ?? '' };
  // Without consent to texts, the code is emailed.
  const signup = aSignup({ ...form, sms_consent: false });
  const { id } = (await post<SignupResponse>('/subscriptions', signup)).body;
  const link = await eventually(() => smtp.received.find(({ to }) => to === email), {
    within: 30_000,
  });
  const token = /confirm-email#([\w-]+)/.exec(link.text.replaceAll(/=\r?\n/g, ''))?.[1] ?? 'none';
  expect((await post('/users/confirm-email', { token })).status).toBe(200);

  const login = { email_or_phone: phone, password: second };
  expect((await post('/users/set-password', login)).status).toBe(202);
  const mail = await eventually(() => smtp.received.filter(({ to }) => to === email)[1], {
    within: 30_000,
  });
  const code = /\b\d{6}\b/.exec(mail.text.split('Hello ')[1] ?? '')?.[0] ?? 'none';
  expect(code).toMatch(/^\d{6}$/);
  const miss = code === '000000' ? '000001' : '000000';
  expect((await post('/users/set-password', { ...login, code: miss })).status).toBe(400);
  expect((await post('/users/set-password', { ...login, code })).status).toBe(200);

  const as: Identity = { kind: 'user', user_id: id, session_version: 1, token_id: id };
  const query = (old_password = '', new_password = '') =>
    `/users/me/change-password?${new URLSearchParams({ old_password, new_password })}`;
  expect((await post(query(wrong, third), undefined, as)).status).toBe(422);
  expect((await post(query(second, third), undefined, as)).status).toBe(200);
  expect((await post('/users/login', { login: phone, password: wrong })).status).toBe(401);
  const signedIn = await post<LoginResponse>('/users/login', { login: email, password: third });
  expect(signedIn.status).toBe(200);
  expect((await post('/users/logout', undefined, as)).status).toBe(204);
  await eventually(() => smtp.received.length >= 4, { within: 30_000 });

  const rows = await dumpRows();
  expect(Object.keys(rows)).toContain('one_time_codes');
  const codePattern = new RegExp(`(?<![0-9A-Za-z])${code}(?![0-9A-Za-z])`);
  for (const [table, stored] of Object.entries(rows)) {
    expect([table, codePattern.test(stored)]).toEqual([table, false]);
    expect(stored).not.toContain(token);
    for (const password of passwords) expect(stored).not.toContain(password);
  }
  expect(rows.mails).not.toContain(phone.slice(1));
  const written = accounts.log().join('\n');
  expect(codePattern.test(written)).toBe(false);
  for (const canary of [...passwords, token, phone.slice(1), email, signedIn.body.access_token])
    expect(written).not.toContain(canary);
});
