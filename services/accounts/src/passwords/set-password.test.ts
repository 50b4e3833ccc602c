import { randomUUID } from 'node:crypto';
import { minuteMs } from '@daylift/clock/durations';
import { oneTimeCode } from '@daylift/server/one-time-code';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aSubscriber,
  aUser,
  provenEmail,
  provenPhone,
  setUser,
  userRow,
} from '../../test/factories.ts';
import { asService, asUser, createHarness, type Harness } from '../../test/harness.ts';
import { cleanupLoop } from '../cleanup.ts';
import { withCode } from '../one-time-codes/code-mail.ts';
import { sendCodes } from '../one-time-codes/send-codes.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

interface CodeRequested {
  request_id: string;
  user_id: string;
  expires_at: string;
}

const url = '/users/set-password';
const password = 'battery staple';
const post = (body: unknown, from?: string) =>
  harness.call({ method: 'POST', url, body, ...(from && { headers: { 'x-client-ip': from } }) });
const otherAddress = '198.51.100.7';
/** Runs each loop once, concurrently on several replicas. */
const runLoops = (replicas = 1) =>
  Promise.all(
    Array.from({ length: replicas }, () =>
      Promise.all([sendCodes(harness.deps), cleanupLoop(harness.deps).run?.()]),
    ),
  );
const requestCode = async (login: string, from?: string) => {
  const response = await post({ email_or_phone: login, password }, from);
  await runLoops();
  return response;
};
const requestsOf = async (userId: string) =>
  (await publishedEvents(harness.deps.db, 'accounts.code.requested'))
    .map((event) => event.data as CodeRequested)
    .filter((data) => data.user_id === userId);
const codeOf = async (userId: string) => {
  const newest = (await requestsOf(userId)).at(-1)?.request_id ?? 'none';
  return oneTimeCode(harness.deps.codeKey, newest);
};
const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000');
const use = (login: string, code: string, change: object = {}) =>
  post({ email_or_phone: login, password, code, ...change });
const logIn = async (login: string, typed: string) =>
  (await harness.call({ method: 'POST', url: '/users/login', body: { login, password: typed } }))
    .statusCode;
const openCodes = (userId: string) =>
  harness.deps.db
    .selectFrom('one_time_codes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .execute();
/** Ages all codes and attempts so far. */
async function ageCodes(ms: number): Promise<void> {
  const { db } = harness.deps;
  for (const code of await db.selectFrom('one_time_codes').selectAll().execute())
    await db
      .updateTable('one_time_codes')
      .set({ requested_at: new Date(code.requested_at.getTime() - ms) })
      .where('request_id', '=', code.request_id)
      .execute();
  for (const call of await db.selectFrom('address_calls').selectAll().execute())
    await db
      .updateTable('address_calls')
      .set({ called_at: new Date(call.called_at.getTime() - ms) })
      .where('address_hash', '=', call.address_hash)
      .where('called_at', '=', call.called_at)
      .execute();
  await db
    .updateTable('login_tries')
    .set({ blocked_until: new Date(0) })
    .execute();
}
const codeWrong = {
  detail: 'This code is incorrect or has expired. Please request a new one.',
  code: 'CODE_NOT_RIGHT',
};
const expectCodeWrong = (response: Awaited<ReturnType<typeof post>>) =>
  expect([response.statusCode, response.json()]).toEqual([400, expect.objectContaining(codeWrong)]);
const expectUntouched = async (user: { id: string; email: string }) => {
  expect(await userRow(harness, user.id)).toMatchObject({ session_version: 0 });
  expect(await logIn(user.email, 'correct horse')).toBe(200);
  const subjects = (await harness.mails(user.email)).map(({ subject }) => subject);
  expect(subjects).not.toContain('Your password was changed');
};

describe('POST /users/set-password without a code', () => {
  it('requests a text with a code to the number on file, without revealing it', async () => {
    const user = await aSubscriber(harness);
    const response = await requestCode(` ${user.email.toUpperCase()} `);
    expect(response.statusCode).toBe(202);
    const [request, ...more] = await requestsOf(user.id);
    expect(more).toEqual([]);
    const expires_at = new Date(harness.clock.now().getTime() + 10 * minuteMs).toISOString();
    expect(request).toEqual({ request_id: expect.any(String), user_id: user.id, expires_at });
    await expectUntouched(user);
  });

  it("emails the code once if it wasn't texted and is still valid", async () => {
    const user = await aSubscriber(harness);
    await change(user.id, { ...provenPhone(), ...provenEmail() });
    await requestCode(user.email);
    const { request_id } = (await requestsOf(user.id))[0]!;
    const reportNotTexted = (id = request_id) =>
      harness.receive('sms.code.not_texted', { request_id: id, user_id: user.id });
    await reportNotTexted(randomUUID());
    expect(await harness.mails(user.email)).toEqual([]);
    await reportNotTexted();
    await reportNotTexted();
    expect(await harness.mails(user.email)).toMatchObject([
      { subject: 'Your code to set a new password' },
    ]);
    expect((await use(user.email, await codeOf(user.id))).statusCode).toBe(200);
    const other = await aSubscriber(harness);
    await requestCode(other.email);
    const late = (await requestsOf(other.id))[0]!;
    harness.clock.advance({ minutes: 11 });
    await harness.receive('sms.code.not_texted', {
      request_id: late.request_id,
      user_id: other.id,
    });
    expect(await harness.mails(other.email)).toEqual([]);
  });

  it('responds the same for every login: status, headers and body', async () => {
    const known = await aSubscriber(harness);
    const paused = await aSubscriber(harness);
    await harness.deps.db
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', paused.id)
      .execute();
    const logins = [
      known.email,
      known.phone,
      paused.email,
      'nobody@example.com',
      '+13125558888',
      'x',
    ];
    const responses = [];
    for (const login of logins) responses.push(await requestCode(login));
    responses.push(await requestCode(known.email));
    const shown = responses.map(({ statusCode, headers, body }) => {
      const { date: _date, 'x-request-id': _id, ...rest } = headers;
      return { statusCode, headers: rest, body };
    });
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(shown[0]?.statusCode).toBe(202);
    expect(await requestsOf(paused.id)).toEqual([]);
    const waiting = await harness.deps.db.selectFrom('code_asks').selectAll().execute();
    expect(waiting).toEqual([]);
  });

  it('creates one code for fifty concurrent requests on several replicas', async () => {
    const user = await aSubscriber(harness);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => post({ email_or_phone: user.email, password })),
    );
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([202]));
    for (let run = 0; run < 3; run += 1) await runLoops(3);
    expect(await requestsOf(user.id)).toHaveLength(1);
    expect(await openCodes(user.id)).toHaveLength(1);
  });

  it('texts a number once a minute and three times a day; only the newest code counts', async () => {
    const user = await aSubscriber(harness);
    await requestCode(user.email);
    const first = await codeOf(user.id);
    await requestCode(user.phone);
    expect(await requestsOf(user.id)).toHaveLength(1);
    for (let sent = 2; sent <= 3; sent += 1) {
      await ageCodes(minuteMs);
      await requestCode(user.email);
      expect(await requestsOf(user.id)).toHaveLength(sent);
      expect(await openCodes(user.id)).toHaveLength(1);
    }
    const newest = await codeOf(user.id);
    if (first !== newest) expectCodeWrong(await use(user.email, first));
    await ageCodes(minuteMs);
    expect((await requestCode(user.email)).statusCode).toBe(202);
    expect(await requestsOf(user.id)).toHaveLength(3);
    await ageCodes(24 * 60 * minuteMs);
    await requestCode(user.email);
    expect(await requestsOf(user.id)).toHaveLength(4);
  });

  it('keeps the limit of a number across deletion and a new account', async () => {
    const phone = '+13125557003';
    for (const sent of [1, 1, 1, 1, 1, 1, 0]) {
      const user = await aSubscriber(harness, { phone });
      await requestCode(user.email);
      expect(await requestsOf(user.id)).toHaveLength(sent);
      await harness.deps.db.deleteFrom('users').where('id', '=', user.id).execute();
    }
  });

  it('emails the code to a confirmed email once the number reached its daily limit', async () => {
    const user = await aSubscriber(harness);
    await change(user.id, { ...provenPhone(), ...provenEmail() });
    for (let count = 0; count < 4; count += 1) {
      await requestCode(user.email, otherAddress);
      await ageCodes(minuteMs);
    }
    expect(await requestsOf(user.id)).toHaveLength(3);
    expect((await harness.mails(user.email)).map(({ subject }) => subject)).toEqual([
      'Your code to set a new password',
    ]);
  });

  it.each([
    ['a confirmed number', provenPhone],
    ['an unconfirmed one', () => ({ phone_proven_at: null })],
  ])(
    "reserves codes for the account's known client, whatever strangers request: %s",
    async (_, proof) => {
      const user = await aSubscriber(harness);
      await change(user.id, proof());
      for (let count = 0; count < 7; count += 1) {
        await requestCode(user.email, otherAddress);
        await ageCodes(minuteMs);
      }
      const before = (await requestsOf(user.id)).length;
      await requestCode(user.email);
      expect(await requestsOf(user.id)).toHaveLength(before + 1);
    },
  );

  it('sends no code if several paid accounts claim the number, except from a known client', async () => {
    const first = await aSubscriber(harness);
    const second = await aSubscriber(harness);
    await change(second.id, { phone: first.phone });
    await requestCode(first.phone, otherAddress);
    expect(await openCodes(first.id)).toEqual([]);
    expect(await openCodes(second.id)).toEqual([]);
    await harness.deps.db
      .deleteFrom('known_clients')
      .where('key', 'like', `${first.id}|%`)
      .execute();
    await requestCode(first.phone);
    expect([await openCodes(first.id), await openCodes(second.id)]).toEqual([
      [],
      [expect.objectContaining({ user_id: second.id })],
    ]);
  });

  it.each<[string, Parameters<typeof setUser>[2]]>([
    ['was stopped', { opted_out: true }],
    ['has not agreed to texts', { consent: 'pending' }],
  ])('sends no code to an unconfirmed email when the number %s', async (_why, row) => {
    const user = await aSubscriber(harness);
    await change(user.id, row);
    await requestCode(user.email);
    expect(await openCodes(user.id)).toEqual([]);
    expect(await harness.mails(user.email)).toEqual([]);
  });

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['was stopped', (id) => change(id, { opted_out: true })],
    ['has not agreed to texts', (id) => change(id, { consent: 'pending' })],
    ['is younger than three days', (id) => changeNumber(id, 71)],
  ])('emails the code when the number %s', async (_why, prepare) => {
    const user = await aSubscriber(harness);
    await change(user.id, provenEmail());
    await prepare(user.id);
    await requestCode(user.email);
    expect(await requestsOf(user.id)).toEqual([]);
    const [mail] = await harness.mails(user.email);
    const [open] = await openCodes(user.id);
    const code = oneTimeCode(harness.deps.codeKey, open?.request_id ?? 'none');
    expect(mail?.text).not.toContain(code);
    const sent = mail === undefined ? '' : withCode(mail, harness.deps.codeKey);
    expect(sent).toContain(code);
    expect((await use(user.email, code)).statusCode).toBe(200);
  });

  it('texts no number that is unproven and without consent', async () => {
    const user = await aUser(harness);
    await requestCode(user.email);
    expect(await requestsOf(user.id)).toEqual([]);
  });

  it('texts a number that is three days old', async () => {
    const user = await aSubscriber(harness);
    await changeNumber(user.id, 73);
    await requestCode(user.email);
    expect(await requestsOf(user.id)).toHaveLength(1);
  });
});

const change = (userId: string, row: Parameters<typeof setUser>[2]) =>
  setUser(harness, userId, row);
const changeNumber = (user_id: string, hoursAgo: number) => {
  const changed_at = new Date(harness.clock.now().getTime() - hoursAgo * 60 * minuteMs);
  return harness.deps.db.insertInto('phone_changes').values({ user_id, changed_at }).execute();
};

describe('POST /users/set-password with a code', () => {
  it('sets the password once, ends all sessions, resets failed logins and notifies the user', async () => {
    const user = await aSubscriber(harness);
    for (let tried = 0; tried < 6; tried += 1) await logIn(user.email, 'wrong');
    expect(await logIn(user.email, 'correct horse')).toBe(429);
    await requestCode(user.email);
    const code = await codeOf(user.id);
    const response = await use(user.phone, code);
    expect([response.statusCode, response.json()]).toEqual([200, { detail: expect.any(String) }]);
    expect(await logIn(user.email, password)).toBe(200);
    expect(await logIn(user.email, 'correct horse')).toBe(401);
    const query = { kind: 'user', subject: user.id, version: '0', token_id: randomUUID() };
    const session = `/internal/sessions?${new URLSearchParams(query)}`;
    const state = await harness.call({ url: session, as: asService });
    expect(state.json()).toMatchObject({ valid: false });
    expect((await harness.call({ url: '/users/me', as: asUser(user.id) })).statusCode).toBe(401);
    const subjects = (await harness.mails(user.email)).map(({ subject }) => subject);
    expect(subjects).toEqual(['Your password was changed']);
    expectCodeWrong(await use(user.email, code, { password: 'another one' }));
    expect(await logIn(user.email, password)).toBe(200);
  });

  it('accepts the code for one of two concurrent requests', async () => {
    const user = await aSubscriber(harness);
    await requestCode(user.email);
    const code = await codeOf(user.id);
    const passwords = ['the one of two', 'the other of two'];
    const responses = await Promise.all(
      passwords.map((typed) => use(user.email, code, { password: typed })),
    );
    const statuses = responses.map((response) => response.statusCode);
    expect([...statuses].sort()).toEqual([200, 400]);
    const winner = passwords[statuses.indexOf(200)] ?? '';
    expect(await logIn(user.email, winner)).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({ session_version: 1 });
  });

  it('accepts the digits in any common format', async () => {
    const spellings = [
      (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\u00A0`,
      (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
      (code: string) =>
        code.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      (code: string) => `\u200E${code}\u200B`,
    ];
    for (const spell of spellings) {
      const user = await aSubscriber(harness);
      await requestCode(user.email);
      expect((await use(user.email, spell(await codeOf(user.id)))).statusCode).toBe(200);
    }
  });

  it('changes nothing for a wrong code, in any format', async () => {
    const user = await aSubscriber(harness);
    await requestCode(user.email);
    const code = await codeOf(user.id);
    const wrong = [
      wrongCode(code),
      code.slice(1),
      `${code}0`,
      '٠١٢٣٤٥',
      '１２３',
      '🙂',
      '-1',
      '1e5',
      ' ',
    ];
    for (const typed of wrong) {
      await ageCodes(0);
      expectCodeWrong(await use(user.email, typed));
    }
    await expectUntouched(user);
  });

  it('rejects the correct code after five wrong ones', async () => {
    const user = await aSubscriber(harness);
    await requestCode(user.email);
    const code = await codeOf(user.id);
    for (let tried = 0; tried < 5; tried += 1) {
      await ageCodes(0);
      expectCodeWrong(await use(user.email, wrongCode(code)));
    }
    await ageCodes(0);
    expectCodeWrong(await use(user.email, code));
    await expectUntouched(user);
  });

  it("accepts a known client's code after five wrong guesses of strangers", async () => {
    const user = await aSubscriber(harness);
    await requestCode(user.email);
    const code = await codeOf(user.id);
    for (let tried = 0; tried < 5; tried += 1) {
      await ageCodes(0);
      const guess = { email_or_phone: user.email, password, code: wrongCode(code) };
      expectCodeWrong(await post(guess, otherAddress));
    }
    await ageCodes(0);
    expectCodeWrong(await post({ email_or_phone: user.email, password, code }, otherAddress));
    expect((await use(user.email, code)).statusCode).toBe(200);
  });

  it('checks at most five of fifty concurrent guesses', async () => {
    const user = await aSubscriber(harness);
    await requestCode(user.email);
    const code = await codeOf(user.id);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => use(user.email, wrongCode(code))),
    );
    for (const response of responses) expectCodeWrong(response);
    expect((await openCodes(user.id))[0]?.known_tries_left).toBe(0);
    expectCodeWrong(await use(user.email, code));
    await expectUntouched(user);
  });

  it('rejects the code after ten minutes', async () => {
    const user = await aSubscriber(harness);
    await requestCode(user.email);
    const code = await codeOf(user.id);
    harness.clock.advance({ minutes: 10 });
    expectCodeWrong(await use(user.email, code));
    await expectUntouched(user);
  });

  it("rejects another account's code", async () => {
    const user = await aSubscriber(harness);
    const thief = await aSubscriber(harness);
    await requestCode(user.email);
    await requestCode(thief.email);
    const code = await codeOf(thief.id);
    if (code !== (await codeOf(user.id))) expectCodeWrong(await use(user.email, code));
    expectCodeWrong(await use('nobody@example.com', code));
    await expectUntouched(user);
    expect((await use(thief.email, code)).statusCode).toBe(200);
  });

  it('rejects accounts without a requested code, or paused since', async () => {
    const user = await aSubscriber(harness);
    expectCodeWrong(await use(user.email, '123456'));
    await expectUntouched(user);
    const paused = await aSubscriber(harness);
    await requestCode(paused.email);
    await harness.deps.db
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', paused.id)
      .execute();
    expectCodeWrong(await use(paused.email, await codeOf(paused.id)));
    expect(await userRow(harness, paused.id)).toMatchObject({ session_version: 0 });
  });

  it('accepts a new code after any number of wrong ones, with the same response for unknown logins', async () => {
    const user = await aSubscriber(harness);
    await requestCode(user.email);
    const code = await codeOf(user.id);
    for (const login of [user.email, user.phone, 'guessed-at@example.com'])
      for (let tried = 0; tried < 12; tried += 1)
        expectCodeWrong(await use(login, wrongCode(code)));
    await ageCodes(minuteMs);
    await requestCode(user.email);
    expect((await use(user.email, await codeOf(user.id))).statusCode).toBe(200);
  });

  const wrong: unknown[] = [
    {},
    { email_or_phone: 'a@b.co' },
    { email_or_phone: '', password },
    { email_or_phone: 'a@b.co', password: 'short' },
    { email_or_phone: ['a@b.co'], password },
    { email_or_phone: 'a@b.co', password, code: '' },
    { email_or_phone: 'a@b.co', password, code: 123_456 },
    { email_or_phone: 'a@b.co', password, code: '1'.repeat(17) },
    { email_or_phone: 'a@b.co', password, code: { $ne: null } },
    { email_or_phone: 'a@b.co', password, code: '12\u00003456' },
    { email_or_phone: 'a@b.co', password, user_id: randomUUID() },
  ];
  it.each(wrong)('rejects %j', async (body) => {
    const response = await post(body);
    expect(response.statusCode).toBe(400);
    expect(response.json<{ detail: string }>().detail.length).toBeGreaterThan(10);
  });
});
