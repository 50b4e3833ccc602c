import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { apiRoutes } from '../../../services/gateway/src/routes-table.ts';
import { claimsOf, signedToken, unsignedToken } from '../stack-secrets.ts';
import {
  aPerson,
  get,
  guessed,
  isEnded,
  isSignedIn,
  logIn,
  password,
  post,
  signInAdmin,
  statusOf,
  stolen,
  target,
} from './target.ts';

test('guessing passwords gets ten tries, with any claimed address, and no hint about accounts', async () => {
  const person = await aPerson();
  const guess = (login: string, from: number) =>
    fetch(`${target().product.urls.gateway}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${from}` },
      body: JSON.stringify({ login, password: guessed }),
    }).then(async (response) => ({ status: response.status, body: await response.json() }));
  const guessAll = async (login: string) => {
    const responses = [];
    for (let round = 0; round < 5; round += 1)
      responses.push(
        ...(await Promise.all(
          Array.from({ length: 6 }, (_none, at) => guess(login, round * 6 + at)),
        )),
      );
    return responses;
  };
  const known = await guessAll(person.email);
  const unknown = await guessAll('nobody-at-all@example.com');
  for (const responses of [known, unknown]) {
    expect(responses.filter((one) => one.status === 401).length).toBeLessThanOrEqual(10);
    expect(responses.every((one) => one.status === 401 || one.status === 429)).toBe(true);
  }
  const refusal = (responses: typeof known) => {
    const words = responses.find((one) => one.status === 401)?.body as
      | { detail?: string }
      | undefined;
    return words?.detail;
  };
  expect(refusal(known)).toEqual(expect.any(String));
  expect(refusal(known)).toBe(refusal(unknown));
  expect((await logIn(person)).status).toBe(429);
});

describe('Protected fields', () => {
  const forbidden: [string, unknown][] = [
    ['id', randomUUID()],
    ['is_active', false],
    ['status', 'active'],
    ['role', 'owner'],
    ['consent', 'granted'],
    ['opted_out', false],
    ['referral_count', 99],
    ['referral_code', 'MINE'],
    ['session_version', 9],
    ['password_hash', 'x'],
    ['trial_end', '2999-01-01'],
    ['__proto__', { is_active: false }],
  ];

  test('are rejected by a signup, which then creates no account', async () => {
    const { id: _id, ...signup } = {
      ...(await aPerson()),
      email: 'mass@example.com',
      phone: '+14155554999',
    };
    for (const [field, value] of forbidden) {
      const text = JSON.stringify({ ...signup, FIELD: value }).replace('FIELD', field);
      expect((await post('/subscriptions', JSON.parse(text))).status, field).toBe(400);
    }
    expect((await logIn(signup)).status).toBe(401);
  });

  test('are rejected by the settings, and change nothing', async () => {
    const person = await aPerson({ sms_consent: false });
    const token = await target().product.login(person.email, password);
    const before = (await get('/users/me', token)).body;
    const own: [string, unknown][] = [
      ['email', 'thief@example.com'],
      ['password', stolen],
    ];
    for (const [field, value] of [...forbidden, ...own]) {
      const text = JSON.stringify({ delivery_time: '05:00', FIELD: value }).replace('FIELD', field);
      const response = await target().product.api('PUT', '/users/me', JSON.parse(text), token);
      expect(response.status, field).toBe(400);
    }
    expect((await get('/users/me', token)).body).toEqual(before);
  });
});

describe('tokens', () => {
  const userRoutes = apiRoutes.filter(({ access }) => access === 'user');

  test('that are malformed, expired, unsigned, altered, or for admins open no subscriber endpoint', async () => {
    const person = await aPerson();
    const token = await target().product.login(person.email, password);
    const claims = claimsOf(token);
    const now = Math.floor(Date.now() / 1000);
    const [head, , signature] = token.split('.');
    const [, otherClaims] = signedToken(target().stack, { ...claims, sub: randomUUID() }).split(
      '.',
    );
    const invalidTokens: [string, string | undefined][] = [
      ['none', undefined],
      ['garbage', 'garbage'],
      ['expired', signedToken(target().stack, { ...claims, iat: now - 700_000, exp: now - 10 })],
      ['without an end', signedToken(target().stack, { ...claims, exp: undefined })],
      ['unsigned', unsignedToken(claims)],
      ['of another person', `${head}.${otherClaims}.${signature}`],
      ['of an unknown user', signedToken(target().stack, { ...claims, sub: randomUUID() })],
      ['of an older password', signedToken(target().stack, { ...claims, ver: -1 })],
    ];
    expect(await isSignedIn(signedToken(target().stack, { ...claims, jti: randomUUID() }))).toBe(
      true,
    );
    for (const { method, path } of userRoutes)
      for (const [what, bad] of invalidTokens)
        expect(
          await statusOf(target().product.api(method, path, undefined, bad)),
          `${what}: ${path}`,
        ).toBe(401);
    const admin = await signInAdmin();
    for (const { method, path } of userRoutes)
      expect(await statusOf(target().product.api(method, path, undefined, admin)), path).toBe(403);
    const elevated = signedToken(target().stack, { ...claims, aud: 'admin' });
    expect((await get('/admin/users', elevated)).status).toBe(401);
    expect((await get('/admin/users', token)).status).toBe(403);
  });

  test('are revoked by sign-out, password change and deletion, and only those', async () => {
    const person = await aPerson();
    const [phone, laptop] = [
      await target().product.login(person.email, password),
      await target().product.login(person.email, password),
    ];
    expect((await post('/users/logout', undefined, phone)).status).toBe(204);
    await isEnded(phone);
    expect(await isSignedIn(laptop)).toBe(true);
    const third = await target().product.login(person.email, password);
    const change = { old_password: password, new_password: guessed };
    const changed = await post<{ access_token: string }>(
      '/users/me/change-password',
      change,
      laptop,
    );
    expect(changed.status).toBe(200);
    await isEnded(laptop);
    await isEnded(third);
    const last = changed.body.access_token;
    expect(await isSignedIn(last)).toBe(true);
    expect(
      (await post('/users/me/delete', { password: stolen }, last)).status,
    ).toBeGreaterThanOrEqual(400);
    expect(await isSignedIn(last)).toBe(true);
    expect((await post('/users/me/delete', { password: guessed }, last)).status).toBeLessThan(300);
    await isEnded(last);
    expect((await logIn(person, guessed)).status).toBe(401);
  });
});

test('identity headers from a client are ignored', async () => {
  const [person, other] = [await aPerson(), await aPerson()];
  const token = await target().product.login(person.email, password);
  const claim = { kind: 'user', user_id: other.id, session_version: 0, aud: 'accounts' };
  const headers = {
    'x-user-id': other.id,
    'x-daylift-identity': unsignedToken(claim),
    'x-forwarded-user': other.email,
    'x-client-ip': '203.0.113.9',
    'x-original-url': `/users/${other.id}`,
  };
  const read = (extra: Record<string, string>) =>
    fetch(`${target().product.urls.gateway}/api/users/me?user_id=${other.id}`, {
      headers: { ...headers, ...extra },
    });
  expect((await read({})).status).toBe(401);
  const own = await read({ authorization: `Bearer ${token}` });
  expect(await own.json()).toMatchObject({ id: person.id });
  const history = await get<{ code: string }>(
    `/users/me/sms-history?before=20990101-${'f'.repeat(32)}`,
    token,
  );
  expect([history.status, history.body.code]).toEqual([400, 'UNKNOWN_HISTORY_ITEM']);
});
