import type { AdminLoginResponse } from '@daylift/contracts/accounts.http';
import type { AdminInvitation, RecoveryCodes, TotpBegun } from '@daylift/contracts/admins.http';
import type { Identity } from '@daylift/server/identity';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anAdmin, codeOf } from '../../test/factories.ts';
import { asService, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
let next = 0;
const password = 'a sunny day';
beforeAll(async () => {
  harness = await createHarness();
  // Prevents the interval from changing between generating a code and using it.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(async () => {
  vi.useRealTimers();
  await harness.close();
});

interface TestAdmin {
  id: string;
  username: string;
  as: Identity;
}
async function aTestAdmin(email?: string): Promise<TestAdmin> {
  next += 1;
  const { id, username, role, session_version } = await anAdmin(harness, {
    username: `self-${next}`,
    password,
    role: 'owner',
    ...(email !== undefined && { email }),
  });
  return { id, username, as: { kind: 'admin', admin_id: id, username, role, session_version } };
}
const post = (path: string, as: Identity | undefined, body: object = {}) =>
  harness.call({ method: 'POST', url: path, body, ...(as && { as }) });
const logIn = ({ username }: TestAdmin, code?: string, word = password) =>
  post('/admin/login', undefined, {
    username,
    password: word,
    ...(code !== undefined && { code }),
  });
const me = async ({ as }: TestAdmin) =>
  (await harness.call({ url: '/admin/me', as })).json<object>();
const begin = async ({ as }: TestAdmin) =>
  (await post('/admin/me/totp', as, { password })).json<TotpBegun>();
/** Returns the app's code `steps` intervals from now. */
const shownBy = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });
/** Enables two-factor authentication, which uses up the current code. */
async function withTotp(one: TestAdmin) {
  const { secret } = await begin(one);
  const response = await post('/admin/me/totp/confirm', one.as, { code: shownBy(secret, -1) });
  return { secret, codes: response.json<RecoveryCodes>().recovery_codes };
}

async function guessCodes(one: TestAdmin) {
  for (let tried = 0; tried < 5; tried += 1)
    expect((await logIn(one, `00000${tried}`)).statusCode).toBe(401);
  expect((await logIn(one, '000005')).statusCode).toBe(429);
}

describe('GET /admin/me', () => {
  it('returns the signed-in admin, to no one else', async () => {
    const vera = await aTestAdmin('vera@example.com');
    expect(await me(vera)).toEqual({
      id: vera.id,
      username: vera.username,
      role: 'owner',
      email: 'vera@example.com',
      totp_enabled: false,
      totp_required: false,
      recovery_codes_left: 0,
      timezone: 'America/New_York',
      now: harness.clock.now().toISOString(),
    });
    expect((await harness.call({ url: '/admin/me' })).statusCode).toBe(401);
    expect((await harness.call({ url: '/admin/me', as: asUser(vera.id) })).statusCode).toBe(403);
  });
});

describe('POST /admin/me/password', () => {
  const change = (one: TestAdmin, old_password: string, new_password: string) =>
    post('/admin/me/password', one.as, { old_password, new_password });

  it('changes it with the old password, and ends all other sessions', async () => {
    const vera = await aTestAdmin();
    const response = await change(vera, password, 'another sunny day');
    expect(response.json<AdminLoginResponse>()).toMatchObject({ username: vera.username });
    expect((await logIn(vera)).statusCode).toBe(401);
    expect((await logIn(vera, undefined, 'another sunny day')).statusCode).toBe(200);
    const query = { kind: 'admin', subject: vera.id, version: '0', token_id: vera.id };
    const url = `/internal/sessions?${new URLSearchParams(query)}`;
    expect((await harness.call({ url, as: asService })).json()).toMatchObject({ valid: false });
  });

  it('starts an unfinished setup of two-factor authentication over', async () => {
    const vera = await aTestAdmin();
    const { secret } = await begin(vera);
    await change(vera, password, 'another sunny day');
    const restarted = await post('/admin/me/totp', vera.as, { password: 'another sunny day' });
    expect(restarted.json<TotpBegun>().secret).not.toBe(secret);
  });

  it('changes nothing if the admin is deactivated meanwhile', async () => {
    const [vera, kim] = [await aTestAdmin(), await aTestAdmin()];
    const open = (is_active: boolean) =>
      harness.call({
        method: 'PUT',
        url: `/admin/admins/${vera.id}`,
        as: kim.as,
        body: { is_active },
      });
    const { hash } = harness.deps.hashing;
    harness.deps.hashing.hash = async (word) => {
      await open(false);
      return hash(word);
    };
    try {
      expect((await change(vera, password, 'another sunny day')).statusCode).toBe(401);
    } finally {
      harness.deps.hashing.hash = hash;
    }
    await open(true);
    expect((await logIn(vera, undefined, 'another sunny day')).statusCode).toBe(401);
    expect((await logIn(vera)).statusCode).toBe(200);
  });

  it('rejects a short password, and five wrong old ones without locking the login', async () => {
    const vera = await aTestAdmin();
    expect((await change(vera, password, 'short')).statusCode).toBe(400);
    for (let tried = 0; tried < 5; tried += 1)
      expect((await change(vera, 'wrong', 'another sunny day')).statusCode).toBe(422);
    expect((await change(vera, password, 'another sunny day')).statusCode).toBe(429);
    expect((await logIn(vera)).statusCode).toBe(200);
  });
});

describe('Two-factor authentication', () => {
  it("can't be set up with a session alone: it requires the password", async () => {
    const vera = await aTestAdmin();
    expect((await post('/admin/me/totp', vera.as)).statusCode).toBe(400);
    const wrong = await post('/admin/me/totp', vera.as, { password: 'a guess' });
    expect([wrong.statusCode, wrong.body.includes('secret')]).toEqual([422, false]);
  });

  it('starts with the first correct code, and is then required after every password', async () => {
    const vera = await aTestAdmin();
    const { secret, otpauth_url } = await begin(vera);
    expect(otpauth_url).toContain(`secret=${secret}`);
    expect(otpauth_url).toContain('issuer=Daylift');
    expect(await begin(vera)).toEqual({ secret, otpauth_url });
    expect((await logIn(vera)).statusCode).toBe(200);
    const wrong = await post('/admin/me/totp/confirm', vera.as, { code: '000000' });
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([422, 'TOTP_CODE_WRONG']);
    const on = await post('/admin/me/totp/confirm', vera.as, { code: shownBy(secret, -1) });
    expect(new Set(on.json<RecoveryCodes>().recovery_codes).size).toBe(8);
    expect(await me(vera)).toMatchObject({ totp_enabled: true, recovery_codes_left: 8 });
    const response = await logIn(vera);
    expect([response.statusCode, codeOf(response)]).toEqual([401, 'TOTP_REQUIRED']);
    expect((await logIn(vera, shownBy(secret))).statusCode).toBe(200);
    expect(codeOf(await post('/admin/me/totp', vera.as, { password }))).toBe('TOTP_ON');
  });

  it('accepts codes one interval early or late, each once, and no others', async () => {
    const vera = await aTestAdmin();
    const { secret } = await withTotp(vera);
    const statuses = async (steps: number[]) => {
      const responses = [];
      for (const step of steps)
        responses.push((await logIn(vera, shownBy(secret, step))).statusCode);
      return responses;
    };
    expect(await statuses([-1, -2, 2])).toEqual([401, 401, 401]);
    expect(await statuses([1])).toEqual([200]);
    expect(await statuses([1, 0])).toEqual([401, 401]);
  });

  it('accepts a code for only one of five concurrent sign-ins', async () => {
    const vera = await aTestAdmin();
    const { secret } = await withTotp(vera);
    const code = shownBy(secret);
    const responses = await Promise.all(Array.from({ length: 5 }, () => logIn(vera, code)));
    expect(responses.filter((one) => one.statusCode === 200)).toHaveLength(1);
  });

  it('responds to a wrong code as to a wrong password', async () => {
    const vera = await aTestAdmin();
    await withTotp(vera);
    const responses = [await logIn(vera, '000000'), await logIn(vera, '000000', 'wrong')];
    for (const response of responses)
      expect({ ...response.json<object>(), request_id: '' }).toEqual({
        detail: 'Invalid credentials',
        code: 'LOGIN_FAILED',
        request_id: '',
      });
  });

  it('slows down guessing codes even with correct passwords', async () => {
    const vera = await aTestAdmin();
    const { secret } = await withTotp(vera);
    for (let tried = 0; tried < 5; tried += 1)
      expect((await logIn(vera, `00000${tried}`)).statusCode).toBe(401);
    expect((await logIn(vera, shownBy(secret))).statusCode).toBe(429);
  });

  it('accepts each recovery code once, in any format', async () => {
    const vera = await aTestAdmin();
    const { codes } = await withTotp(vera);
    const [first = '', second = ''] = codes;
    expect((await logIn(vera, ` ${first.toLowerCase().replaceAll('-', ' ')} `)).statusCode).toBe(
      200,
    );
    expect((await logIn(vera, first)).statusCode).toBe(401);
    expect((await logIn(vera, second)).statusCode).toBe(200);
    expect(await me(vera)).toMatchObject({ recovery_codes_left: 6 });
  });

  it('can be turned off only with password and code', async () => {
    const vera = await aTestAdmin();
    const { secret, codes } = await withTotp(vera);
    const off = (word: string, code = '') =>
      post('/admin/me/totp/disable', vera.as, { password: word, code });
    expect(codeOf(await off('wrong', shownBy(secret)))).toBe('CURRENT_PASSWORD_WRONG');
    expect(codeOf(await off(password, '000000'))).toBe('TOTP_CODE_WRONG');
    expect((await off(password, codes[0])).statusCode).toBe(200);
    expect((await logIn(vera)).statusCode).toBe(200);
    expect(await me(vera)).toMatchObject({ totp_enabled: false, recovery_codes_left: 0 });
    expect(codeOf(await off(password, codes[1]))).toBe('TOTP_OFF');
  });

  it('can be reset by another owner, ending the sessions', async () => {
    const [vera, kim] = [await aTestAdmin(), await aTestAdmin()];
    await withTotp(vera);
    const url = `/admin/admins/${vera.id}/totp`;
    const response = await harness.call({ method: 'DELETE', url, as: kim.as });
    expect(response.json()).toMatchObject({ totp_enabled: false });
    expect((await logIn(vera)).statusCode).toBe(200);
    const query = { kind: 'admin', subject: vera.id, version: '0', token_id: vera.id };
    const sessionUrl = `/internal/sessions?${new URLSearchParams(query)}`;
    expect((await harness.call({ url: sessionUrl, as: asService })).json()).toMatchObject({
      valid: false,
    });
  });

  it('accepts codes again after many guesses once an owner sends a new invitation', async () => {
    const [vera, kim] = [await aTestAdmin(), await aTestAdmin()];
    const { secret } = await withTotp(vera);
    await guessCodes(vera);
    const url = `/admin/admins/${vera.id}/invitation`;
    const { invitation_url } = (await post(url, kim.as)).json<AdminInvitation>();
    const token = new URL(invitation_url).hash.slice(1);
    await post('/admin/invitation', undefined, { token, password: 'another sunny day' });
    expect((await logIn(vera, shownBy(secret), 'another sunny day')).statusCode).toBe(200);
  });

  it('can be set up again after many guesses once an owner has reset it', async () => {
    const [vera, kim] = [await aTestAdmin(), await aTestAdmin()];
    await withTotp(vera);
    await guessCodes(vera);
    await harness.call({ method: 'DELETE', url: `/admin/admins/${vera.id}/totp`, as: kim.as });
    const { secret } = await begin(vera);
    const response = await post('/admin/me/totp/confirm', vera.as, { code: shownBy(secret) });
    expect(response.statusCode).toBe(200);
  });

  it('stores neither the secret nor recovery codes in plain text', async () => {
    const vera = await aTestAdmin();
    const { secret, codes } = await withTotp(vera);
    const raw = Buffer.from(Secret.fromBase32(secret).buffer).toString('hex');
    for (const table of ['admins', 'admin_recovery_codes', 'audit_log', 'mails', 'outbox']) {
      const { rows } = await sql<{
        text: string;
      }>`select t::text as text from ${sql.table(table)} as t`.execute(harness.deps.db);
      const text = JSON.stringify(rows);
      for (const clear of [secret, raw, ...codes, ...codes.map((one) => one.replaceAll('-', ''))])
        expect(text).not.toContain(clear);
    }
  });

  it('binds the encrypted secret to its admin', async () => {
    const [vera, kim] = [await aTestAdmin(), await aTestAdmin()];
    const { secret } = await withTotp(vera);
    await withTotp(kim);
    await sql`update admins set totp_secret = (select totp_secret from admins where id = ${vera.id})
      where id = ${kim.id}`.execute(harness.deps.db);
    expect((await logIn(kim, shownBy(secret))).statusCode).toBe(500);
  });

  it('must be set up first if all admins are required to use it', async () => {
    const vera = await aTestAdmin();
    const query = { kind: 'admin', subject: vera.id, version: '0', token_id: vera.id };
    const url = `/internal/sessions?${new URLSearchParams(query)}`;
    const missing = async () => (await harness.call({ url, as: asService })).json<object>();
    harness.deps.totpRequired = true;
    try {
      expect(await missing()).toMatchObject({ valid: true, totp_missing: true });
      await withTotp(vera);
      expect(await missing()).toMatchObject({ valid: true, totp_missing: false });
    } finally {
      harness.deps.totpRequired = false;
    }
  });
});

describe('Five failed sign-ins in a row', () => {
  it('are reported once to owners with an email address', async () => {
    await sql`truncate admins cascade`.execute(harness.deps.db);
    const vera = await aTestAdmin('owner@example.com');
    for (let tried = 0; tried < 4; tried += 1) await logIn(vera, undefined, 'wrong');
    expect(await harness.mails('owner@example.com')).toEqual([]);
    for (let tried = 0; tried < 3; tried += 1) {
      await logIn(vera, undefined, 'wrong');
      await harness.deps.db
        .updateTable('login_tries')
        .set({ blocked_until: new Date(0) })
        .execute();
    }
    const mails = await harness.mails('owner@example.com');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe(`Failed sign-ins as ${vera.username}`);
  });

  it('with codes are reported too, or to our own address if no owner has one', async () => {
    await sql`truncate admins cascade`.execute(harness.deps.db);
    const vera = await aTestAdmin();
    await withTotp(vera);
    for (let tried = 0; tried < 5; tried += 1) await logIn(vera, `00000${tried}`);
    expect(await harness.mails(harness.deps.product.supportEmail)).toHaveLength(1);
  });
});
