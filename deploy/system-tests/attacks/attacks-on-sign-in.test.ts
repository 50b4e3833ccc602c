import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aSubscriber,
  get,
  guessed,
  isEnded,
  logIn,
  mailsTo,
  password,
  post,
  signInAdmin,
  startTargetWith,
  stolen,
  stopTarget,
  target,
} from './target.ts';

beforeAll(() => startTargetWith({ TRUSTED_PROXIES: '127.0.0.1,::1' }), 180_000);
afterAll(stopTarget);

/** Sends a request from another client address, as the trusted proxy in front reports it. */
async function postFrom(ip: string, path: string, body: object): Promise<number> {
  const response = await fetch(`${target().product.urls.gateway}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}
const stranger = '198.51.100.7';
const holder = '203.0.113.5';
const logInFrom = (ip: string, login: string, word: string) =>
  postFrom(ip, '/users/login', { login, password: word });
const adminFrom = (ip: string, username: string, word: string) =>
  postFrom(ip, '/admin/login', { username, password: word });

/** Repeats a request until it is rate-limited. */
async function exhaust(attempt: () => Promise<number>): Promise<void> {
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 40) statuses.push(await attempt());
  expect(statuses.length).toBeGreaterThan(4);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
}

const codeTextedTo = (phone: string) =>
  eventually(
    async () =>
      (await target().product.texts(phone)).flatMap(
        ({ text }) => /\b(\d{6}) is your code/.exec(text)?.[1] ?? [],
      )[0],
    { within: 30_000, what: 'a code' },
  );
const setPassword = (ip: string, email_or_phone: string, word: string, code?: string) =>
  postFrom(ip, '/users/set-password', { email_or_phone, password: word, code });

describe('A stranger who keeps guessing', () => {
  test('passwords and codes locks no subscriber out, even from the first try of a new code', async () => {
    const person = await aSubscriber();
    for (const login of [person.email, person.phone]) {
      await exhaust(() => logInFrom(stranger, login, stolen));
      for (let time = 0; time < 6; time += 1)
        expect(await setPassword(stranger, login, stolen, '000000')).toBe(400);
    }
    for (const login of [person.email, person.phone])
      expect(await logInFrom(holder, login, password)).toBe(200);
    expect(await setPassword(holder, person.phone, guessed)).toBe(202);
    const code = await codeTextedTo(person.phone);
    expect(await setPassword(holder, person.phone, guessed, code)).toBe(200);
    // Nor from the stranger's own address, now that the password is new.
    expect(await logInFrom(stranger, person.email, guessed)).toBe(200);
  });

  test("an email doesn't learn whose phone number belongs to it", async () => {
    const [person, other] = [await aSubscriber(), await aSubscriber()];
    await exhaust(() => logInFrom(stranger, person.email, stolen));
    const triesOf = async (login: string) => {
      const statuses: number[] = [];
      while (statuses.at(-1) !== 429 && statuses.length < 40)
        statuses.push(await logInFrom(stranger, login, stolen));
      return statuses;
    };
    expect(await triesOf(person.phone)).toEqual(await triesOf(other.phone));
  });

  test("an admin's password locks no admin out", async () => {
    const { username, password: word } = target().stack.adminCredentials;
    await exhaust(() => adminFrom(stranger, username, stolen));
    expect(await adminFrom(holder, username, word)).toBe(200);
  });

  test("has ten guesses from all addresses together, and the phone's holder gets in by a code", async () => {
    const person = await aSubscriber();
    const statuses: number[] = [];
    for (let from = 1; from <= 14; from += 1)
      statuses.push(await logInFrom(`192.0.2.${from}`, person.phone, stolen));
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(4).fill(429)]);
    const newNetwork = '203.0.113.77';
    expect(await logInFrom(newNetwork, person.phone, password)).toBe(429);
    expect(await setPassword(newNetwork, person.phone, guessed)).toBe(202);
    const code = await codeTextedTo(person.phone);
    expect(await setPassword(newNetwork, person.phone, guessed, code)).toBe(200);
    expect(await logInFrom('203.0.113.78', person.phone, guessed)).toBe(200);
  });

  test('from many addresses is stopped, and an invitation lets the admin in again', async () => {
    const owner = await signInAdmin();
    const kim = { username: 'kim', email: 'kim@example.com', role: 'viewer' };
    type Invited = { admin: { id: string }; invitation_url: string };
    const invited = await post<Invited>('/admin/admins', kim, owner);
    const accept = (url: string, word: string) =>
      post('/admin/invitation', { token: url.split('#')[1], password: word });
    expect((await accept(invited.body.invitation_url, password)).status).toBe(200);
    const statuses: number[] = [];
    for (let from = 1; from <= 32; from += 1)
      statuses.push(await adminFrom(`192.0.2.${from}`, kim.username, stolen));
    expect(statuses.at(-1)).toBe(429);
    expect(await adminFrom(holder, kim.username, password)).toBe(429);
    const reinvited = await post<Invited>(
      `/admin/admins/${invited.body.admin.id}/invitation`,
      undefined,
      owner,
    );
    expect((await accept(reinvited.body.invitation_url, guessed)).status).toBe(200);
    expect(await adminFrom(holder, kim.username, guessed)).toBe(200);
  });
});

describe("An account that a stranger opened with someone's number", () => {
  test("belongs to the owner once they enter a code from their phone, and the stranger's email no longer opens it", async () => {
    const { product } = target();
    const victim = { phone: '+14155557801', email: 'pre-hijacker@example.com' };
    const account = await aSubscriber({ ...victim, password: stolen });
    const thief = await product.login(victim.email, stolen);
    const link = (await mailsTo(victim.email)).flatMap(
      ({ text }) => /confirm-email#([\w-]+)/.exec(text)?.[1] ?? [],
    )[0];
    expect(link).toBeDefined();
    expect(await setPassword(holder, victim.phone, guessed)).toBe(202);
    const code = await codeTextedTo(victim.phone);
    expect(await setPassword(holder, victim.phone, guessed, code)).toBe(200);
    await isEnded(thief);
    expect((await logIn(account, stolen)).status).toBe(401);
    expect((await post('/users/confirm-email', { token: link, password: stolen })).status).toBe(
      400,
    );
    const attackerToken = await product.login(victim.phone, guessed);
    expect((await get('/users/me', attackerToken)).body).toMatchObject({
      ...{ phone_proven: true, email_proven: false },
    });
    await product.reply(victim.phone, 'STOP');
    await product.settle();
    const codes = (await mailsTo(victim.email)).filter(({ text }) => /\b\d{6}\b/.test(text));
    expect(codes).toEqual([]);
  });

  test("shows none of the number's history, and its deletion erases none of it", async () => {
    const { product } = target();
    const victim = await aSubscriber({ name: 'Veronica' });
    await product.reply(victim.phone, 'STOP, my house is blue');
    await product.settle();
    const exported = async (token: string) => {
      const { status, body } = await get('/users/me/export', token);
      expect(status).toBe(200);
      return JSON.stringify(body);
    };
    const claim = await aSubscriber({ phone: victim.phone });
    const change = { phone: victim.phone, current_password: password };
    const mover = await aSubscriber();
    for (const { email } of [claim, mover]) {
      const token = await product.login(email, password);
      if (email === mover.email)
        expect((await product.api('PUT', '/users/me', change, token)).status).toBe(200);
      await product.settle();
      const shown = await exported(token);
      expect(shown).not.toMatch(/Veronica|house is blue|"source":"(keyword|phrase)"/);
      expect(shown).toContain('"opted_out_at":null');
      expect((await post('/users/me/delete', { password }, token)).status).toBe(200);
    }
    await product.settle();
    const texts = (await product.texts(victim.phone)).length;
    await product.advance(26, 12);
    expect((await product.texts(victim.phone)).length).toBe(texts);
    const victimToken = await product.login(victim.email, password);
    expect(await exported(victimToken)).toContain('Welcome to Daylift, Veronica!');
  });
});
