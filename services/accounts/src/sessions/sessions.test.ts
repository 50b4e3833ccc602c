import { randomUUID } from 'node:crypto';
import type { AdminLoginResponse, LoginResponse } from '@daylift/contracts/accounts.http';
import { createVerifier } from 'fast-jwt';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAdmin, aUser } from '../../test/factories.ts';
import { asAdmin, asService, asUser, createHarness, type Harness } from '../../test/harness.ts';
import { cleanupLoop } from '../cleanup.ts';
import { TooBusy } from '../errors.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const logIn = (login: string, password = 'correct horse', ip = '203.0.113.1') =>
  harness.call({
    method: 'POST',
    url: '/users/login',
    body: { login, password },
    headers: { 'x-client-ip': ip },
  });
const logInAdmin = (username: string, password: string, ip = '203.0.113.1') =>
  harness.call({
    method: 'POST',
    url: '/admin/login',
    body: { username, password },
    headers: { 'x-client-ip': ip },
  });
const claimsOf = (token: string) =>
  createVerifier({ key: harness.publicKey, algorithms: ['EdDSA'] })(token) as {
    sub: string;
    aud: string;
    ver: number;
    iat: number;
    exp: number;
  };
const secondsOf = (days: number) => days * 24 * 60 * 60;
const endWaits = () =>
  harness.deps.db
    .updateTable('login_tries')
    .set({ blocked_until: new Date(0) })
    .execute();
/** And a second, while the cleanup runs. */
async function ageTries(days: number) {
  const ms = secondsOf(days) * 1000 + 1000;
  await sql`update login_tries set last_try_at = last_try_at - ${ms} * interval '1 ms',
    blocked_until = blocked_until - ${ms} * interval '1 ms'`.execute(harness.deps.db);
  await cleanupLoop(harness.deps).run?.();
}

describe('POST /users/login', () => {
  it('accepts email and phone in any format and returns a signed token for seven days', async () => {
    const user = await aUser(harness, { email: 'login@example.com', phone: '+13125559001' });
    for (const login of [
      'login@example.com',
      ' LOGIN@Example.com ',
      '+13125559001',
      '(312) 555-9001',
      '+1 312 555 9001',
      '312.555.9001',
      '001 3125559001',
    ]) {
      const response = await logIn(login);
      expect([login, response.statusCode]).toEqual([login, 200]);
      const { access_token, token_type } = response.json<LoginResponse>();
      const claims = claimsOf(access_token);
      expect(token_type).toBe('bearer');
      expect(claims).toMatchObject({ sub: user.id, aud: 'user', ver: 0 });
      expect(claims.exp - claims.iat).toBe(secondsOf(7));
      expect(Math.abs(claims.iat - Date.now() / 1000)).toBeLessThan(10);
    }
  });

  it('responds the same for a wrong password and an unknown login', async () => {
    const user = await aUser(harness);
    const wrong = await logIn(user.email, 'wrong horse');
    const unknown = [
      await logIn('nobody@example.com'),
      await logIn('+13125558888'),
      await logIn('no login at all'),
    ];
    expect(wrong.statusCode).toBe(401);
    for (const response of unknown) {
      expect(response.statusCode).toBe(401);
      expect({ ...response.json<object>(), request_id: '' }).toEqual({
        detail: 'Login failed. Please check your credentials.',
        code: 'LOGIN_FAILED',
        request_id: '',
      });
      expect({ ...response.json<object>(), request_id: '' }).toEqual({
        ...wrong.json<object>(),
        request_id: '',
      });
    }
  });

  it('slows down guessing more and more, for known and unknown logins, until a correct password', async () => {
    const user = await aUser(harness);
    for (const login of [user.email, 'guessed@example.com']) {
      for (let tried = 0; tried < 5; tried += 1)
        expect((await logIn(login, 'wrong')).statusCode).toBe(401);
      const waits = await logIn(login);
      expect(waits.statusCode).toBe(429);
      expect(waits.json()).toMatchObject({
        detail: expect.stringMatching(/^Too many attempts\. Please try again in \d+ seconds\.$/),
        code: 'TOO_MANY_TRIES',
      });
    }
    await endWaits();
    expect((await logIn(user.email)).statusCode).toBe(200);
    for (let tried = 0; tried < 4; tried += 1) await logIn(user.email, 'wrong');
    expect((await logIn(user.email)).statusCode).toBe(200);
  });

  it('checks at most ten of fifty concurrent guesses', async () => {
    const user = await aUser(harness);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => logIn(user.email, `guess ${n}`)),
    );
    const unauthorized = responses.filter((response) => response.statusCode === 401);
    expect(unauthorized.length).toBeLessThanOrEqual(10);
    expect(responses.filter((response) => response.statusCode === 429)).toHaveLength(
      50 - unauthorized.length,
    );
    expect((await logIn(user.email)).statusCode).toBe(429);
  });

  it("locks out no one else, and doesn't reveal that an email and a phone belong together", async () => {
    const user = await aUser(harness);
    for (let tried = 0; tried < 8; tried += 1) await logIn(user.email, 'wrong');
    expect((await logIn(user.email)).statusCode).toBe(429);
    expect((await logIn(user.phone)).statusCode).toBe(200);
    expect((await logIn(user.email, 'correct horse', '203.0.113.2')).statusCode).toBe(200);
  });

  it('keeps counting guesses when the guesser signs in with their own account on the same email', async () => {
    const user = await aUser(harness);
    const own = { password: 'a claim of mine', confirmPassword: 'a claim of mine' };
    await aUser(harness, { email: user.email, ...own });
    for (let tried = 0; tried < 5; tried += 1) {
      expect((await logIn(user.email, 'wrong')).statusCode).toBe(401);
      if (tried < 4) expect((await logIn(user.email, own.password)).statusCode).toBe(200);
    }
    expect((await logIn(user.email, 'wrong')).statusCode).toBe(429);
  });

  it('limits all addresses of an IPv6 network as one client', async () => {
    const statuses: number[] = [];
    for (let host = 1; host <= 6; host += 1)
      statuses.push((await logIn('v6@example.com', 'wrong', `2001:db8::${host}:1`)).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const otherClient = await logIn('v6@example.com', 'wrong', '2001:db8:0:1::1');
    expect(otherClient.statusCode).toBe(401);
  });

  it('allows ten guesses from all addresses together, for known and unknown logins', async () => {
    const user = await aUser(harness);
    for (const login of [user.email, 'widely-guessed@example.com']) {
      const statuses = [];
      for (let address = 0; address < 8; address += 1)
        for (let tried = 0; tried < 4; tried += 1)
          statuses.push((await logIn(login, 'wrong', `198.51.100.${address}`)).statusCode);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect((await logIn(login, 'correct horse', '203.0.113.9')).statusCode).toBe(429);
    }
  });

  it('forgets a few wrong passwords after a day, and a hundred after a month', async () => {
    const { email } = await aUser(harness);
    const guess = async () => (await logIn(email, 'wrong')).statusCode;
    expect([await guess(), await guess()]).toEqual([401, 401]);
    await ageTries(1);
    expect([await guess(), await guess(), await guess(), await guess()]).not.toContain(429);
    await harness.deps.db.updateTable('login_tries').set({ failures: 99 }).execute();
    for (const _day of [1, 2, 3]) {
      await ageTries(1);
      expect([await guess(), await guess()]).toEqual([401, 429]);
    }
    await ageTries(30);
    expect([await guess(), await guess()]).toEqual([401, 401]);
  });

  it('accepts ten concurrent correct logins', async () => {
    const user = await aUser(harness);
    const responses = await Promise.all(Array.from({ length: 10 }, () => logIn(user.email)));
    expect(responses.map((response) => response.statusCode)).toEqual(Array<number>(10).fill(200));
  });

  it('explains the pause to a paused subscriber with the correct password', async () => {
    const user = await aUser(harness);
    await harness.deps.db
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', user.id)
      .execute();
    expect((await logIn(user.email, 'wrong')).statusCode).toBe(401);
    const response = await logIn(user.email);
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([
      403,
      'ACCOUNT_PAUSED',
    ]);
  });

  it('treats composed and decomposed forms of a password the same', async () => {
    const user = await aUser(harness, {
      password: 'café au lait',
      confirmPassword: 'café au lait',
    });
    expect((await logIn(user.email, 'cafe\u0301 au lait')).statusCode).toBe(200);
  });

  const wrong: unknown[] = [
    {},
    [],
    { login: '', password: 'x' },
    { login: 'a@b.co', password: '' },
    { login: 'a@b.co' },
    { login: ['a@b.co'], password: 'x' },
    { login: 'a@b.co', password: { $gt: '' } },
    { login: 'a'.repeat(255), password: 'x' },
    { login: 'a@b.co', password: 'x'.repeat(129) },
    { login: 'a@b.co', password: 'x'.repeat(40_000) },
    { login: 'a\u0000@b.co', password: 'x' },
    { login: 'a@b.co', password: 'x', remember: true },
  ];
  it.each(wrong)('rejects %j', async (body) => {
    const response = await harness.call({ method: 'POST', url: '/users/login', body });
    expect(response.statusCode).toBe(400);
    expect(response.json<{ detail: string }>().detail.length).toBeGreaterThan(10);
  });

  it.each(["' or 1=1--", 'a@b.co)(&(1=1', '$(id)@example.com', '{{7*7}}@example.com', '🙂', '%00'])(
    "doesn't find %s",
    async (login) => expect((await logIn(login)).statusCode).toBe(401),
  );
});

describe('POST /admin/login', () => {
  it('returns a token for twelve hours and the role, and audits it', async () => {
    await anAdmin(harness, { username: 'olive', password: 'a sunny day', role: 'operator' });
    const response = await logInAdmin('olive', 'a sunny day');
    expect(response.statusCode).toBe(200);
    const { token, ...rest } = response.json<AdminLoginResponse>();
    expect(rest).toEqual({ username: 'olive', role: 'operator' });
    const claims = claimsOf(token);
    expect(claims).toMatchObject({ aud: 'admin', ver: 0 });
    expect(claims.exp - claims.iat).toBe(secondsOf(0.5));
    const entry = await harness.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('actor_username', '=', 'olive')
      .execute();
    expect(entry).toEqual([expect.objectContaining({ action: 'admin.logged_in' })]);
  });

  it('rejects and audits wrong passwords and unknown names alike, without the input', async () => {
    await anAdmin(harness, { username: 'vera', password: 'a sunny day' });
    const responses = [
      await logInAdmin('vera', 'canary-typed-1'),
      await logInAdmin('canary-typed-2', 'x'),
    ];
    for (const response of responses)
      expect([response.statusCode, response.json<{ detail: string }>().detail]).toEqual([
        401,
        'Invalid credentials',
      ]);
    const log = await harness.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'admin.login_failed')
      .execute();
    expect(log).toHaveLength(2);
    expect(JSON.stringify(log)).not.toContain('canary-typed');
  });

  it.each([{}, { username: '', password: 'x' }, { username: 'a', password: 7 }, { username: 'a' }])(
    'rejects %j',
    async (body) => {
      const response = await harness.call({ method: 'POST', url: '/admin/login', body });
      expect(response.statusCode).toBe(400);
    },
  );

  it('slows down guessing', async () => {
    await anAdmin(harness, { username: 'guessed', password: 'a sunny day' });
    for (let tried = 0; tried < 5; tried += 1) await logInAdmin('guessed', 'wrong');
    expect((await logInAdmin('guessed', 'a sunny day')).statusCode).toBe(429);
  });

  it('lets no stranger at another address lock an admin out', async () => {
    await anAdmin(harness, { username: 'wanted', password: 'a sunny day' });
    for (let tried = 0; tried < 8; tried += 1) await logInAdmin('wanted', 'wrong');
    expect((await logInAdmin('wanted', 'a sunny day')).statusCode).toBe(429);
    expect((await logInAdmin('wanted', 'a sunny day', '203.0.113.2')).statusCode).toBe(200);
  });

  it('allows ten guesses from all addresses together, for known and unknown names', async () => {
    await anAdmin(harness, { username: 'widely', password: 'a sunny day' });
    for (const username of ['widely', 'unknown-admin']) {
      const statuses = [];
      for (let address = 0; address < 8; address += 1)
        for (let tried = 0; tried < 4; tried += 1)
          statuses.push((await logInAdmin(username, 'wrong', `198.51.100.${address}`)).statusCode);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect((await logInAdmin(username, 'a sunny day', '203.0.113.9')).statusCode).toBe(429);
    }
  });
});

describe('A sign-in while strangers guess', () => {
  it('accepts a known client, however many guess elsewhere', async () => {
    const user = await aUser(harness);
    await anAdmin(harness, { username: 'at-home', password: 'a sunny day' });
    const ways: [typeof logInAdmin, string, string][] = [
      [logIn, user.email, 'correct horse'],
      [logInAdmin, 'at-home', 'a sunny day'],
    ];
    for (const [way, login, password] of ways) {
      expect((await way(login, password, '203.0.113.8')).statusCode).toBe(200);
      for (let address = 0; address < 8; address += 1)
        for (let tried = 0; tried < 4; tried += 1)
          await way(login, 'wrong', `198.51.100.${address}`);
      expect((await way(login, password, '203.0.113.9')).statusCode).toBe(429);
      expect((await way(login, password, '203.0.113.8')).statusCode).toBe(200);
    }
  });
});

describe('A sign-in rejected because of load', () => {
  it('counts as no attempt of a subscriber or admin; a wrong password afterwards does', async () => {
    const { email } = await aUser(harness);
    const admin = await anAdmin(harness, { username: 'patient', password: 'a sunny day' });
    const ways: [typeof logInAdmin, string, string][] = [
      [logIn, email, 'correct horse'],
      [logInAdmin, admin.username, 'a sunny day'],
    ];
    const { hashing } = harness.deps;
    for (const [way, name, password] of ways) {
      harness.deps.hashing = {
        ...hashing,
        verify: () => Promise.reject(new TooBusy()),
      };
      const busy = [];
      for (let n = 0; n < 12; n += 1) busy.push((await way(name, password)).statusCode);
      harness.deps.hashing = hashing;
      expect(busy).toEqual(Array(12).fill(503));
      const wrong = [];
      for (let n = 0; n < 6; n += 1) wrong.push((await way(name, 'wrong horse')).statusCode);
      expect(wrong).toEqual([401, 401, 401, 401, 401, 429]);
    }
  });
});

describe('GET /internal/sessions', () => {
  const readSession = (query: Record<string, string>, as = asService) => {
    const whole = { token_id: randomUUID(), ...query };
    return harness.call({ url: `/internal/sessions?${new URLSearchParams(whole)}`, as });
  };

  it('returns whether a token is valid, by version', async () => {
    const { id } = await aUser(harness);
    const query = { kind: 'user', subject: id, version: '0' };
    const valid = { valid: true, role: null, username: null, totp_missing: false };
    const ended = { ...valid, valid: false };
    expect((await readSession(query)).json()).toEqual(valid);
    expect((await readSession({ ...query, version: '1' })).json()).toEqual(ended);
    expect((await readSession({ ...query, kind: 'admin' })).json()).toEqual(ended);
    await harness.deps.db
      .updateTable('users')
      .set({ session_version: 1 })
      .where('id', '=', id)
      .execute();
    expect((await readSession(query)).json()).toEqual(ended);
    expect((await readSession({ ...query, version: '1' })).json()).toEqual(valid);
  });

  it('ends the session of a paused or deleted subscriber', async () => {
    const { id } = await aUser(harness);
    await harness.deps.db
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', id)
      .execute();
    const unknownId = '00000000-0000-4000-8000-000000000000';
    for (const subject of [id, unknownId])
      expect((await readSession({ kind: 'user', subject, version: '0' })).json()).toMatchObject({
        valid: false,
      });
  });

  it("returns an admin's current permissions", async () => {
    await anAdmin(harness, { username: 'now', password: 'a sunny day', role: 'viewer' });
    const { token } = (await logInAdmin('now', 'a sunny day')).json<AdminLoginResponse>();
    const query = { kind: 'admin', subject: claimsOf(token).sub, version: '0' };
    expect((await readSession(query)).json()).toMatchObject({
      valid: true,
      role: 'viewer',
      username: 'now',
    });
    await harness.deps.db
      .updateTable('admins')
      .set({ is_active: false })
      .where('username', '=', 'now')
      .execute();
    expect((await readSession(query)).json()).toMatchObject({ valid: false });
  });

  it('is for our services only', async () => {
    const url = '/internal/sessions?kind=user&subject=x&version=0';
    expect((await harness.call({ url })).statusCode).toBe(401);
    expect((await harness.call({ url, as: asUser('x') })).statusCode).toBe(403);
    expect((await harness.call({ url, as: asAdmin('owner') })).statusCode).toBe(403);
    expect((await harness.call({ url, as: asService })).statusCode).toBe(400);
  });
});
