import { randomUUID } from 'node:crypto';
import type { Recipient } from '@daylift/contracts/accounts.events';
import { linkToken, oneTimeCode } from '@daylift/server/one-time-code';
import { eventually } from '@daylift/testing/eventually';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDispatch, aNumber, aSubscriber, asUser, release } from '../../test/factories.ts';
import { createHarness, type Harness, oneTimeCodeKey, testStart } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterEach(() =>
  harness.db
    .updateTable('testing_mode')
    .set({ enabled: false, revision: sql`revision + 1` })
    .execute(),
);
afterAll(() => harness.close());

const inMinutes = (minutes: number) =>
  new Date(harness.clock.now().getTime() + minutes * 60_000).toISOString();

async function request(user_id: string, expires_at = inMinutes(10)): Promise<string> {
  const request_id = randomUUID();
  await harness.receive('accounts.code.requested', { request_id, user_id, expires_at });
  return request_id;
}

async function textsTo(number: string): Promise<string[]> {
  await harness.sendAllDue();
  return (await harness.sandbox.texts(number)).map(({ text }) => text);
}

const isStopped = async (phone: string) => {
  const row = await harness.db
    .selectFrom('opt_outs')
    .select('opted_out')
    .where('number_hash', '=', harness.deps.numberHash(phone))
    .executeTakeFirst();
  return row?.opted_out;
};

const wordsWith = (requestId: string) =>
  `Daylift: ${oneTimeCode(oneTimeCodeKey, requestId)} is your code to set a new password. It expires in 10 minutes. Don't share it.`;

it('a code goes to the number on file immediately and once per request', async () => {
  const waiting = aDispatch(await aSubscriber(harness), harness);
  await release(harness, [waiting]);
  const me = await aSubscriber(harness);
  const requestId = await request(me.user_id);
  await harness.receive('accounts.code.requested', {
    request_id: requestId,
    user_id: me.user_id,
    expires_at: inMinutes(10),
  });
  const [first] = await harness.db
    .selectFrom('texts')
    .select('user_id')
    .where('state', '=', 'queued')
    .orderBy('next_attempt_at')
    .execute();
  expect(first!.user_id).toBe(me.user_id);
  expect(await textsTo(me.phone)).toEqual([wordsWith(requestId)]);
});

it('a code that allows a change of phone or email says so', async () => {
  const me = await aSubscriber(harness);
  const request_id = randomUUID();
  await harness.receive('accounts.code.requested', {
    ...{ request_id, user_id: me.user_id, expires_at: inMinutes(10), for_change: true },
  });
  const words = wordsWith(request_id).replace('set a new password', 'change your phone or email');
  expect(await textsTo(me.phone)).toEqual([words]);
});

it("the code is in no row, event or history, and doesn't affect the daily text", async () => {
  const me = await aSubscriber(harness);
  const code = oneTimeCode(oneTimeCodeKey, await request(me.user_id));
  await textsTo(me.phone);
  const dispatch = aDispatch(me, harness);
  await release(harness, [dispatch]);
  expect(await textsTo(me.phone)).toHaveLength(2);
  const rows = await Promise.all([
    harness.textsOf(me.user_id),
    harness.db.selectFrom('own_text_keys').selectAll().execute(),
    harness.db.selectFrom('outbox').selectAll().execute(),
    harness.db.selectFrom('receipts').selectAll().execute(),
  ]);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`\\b${code}\\b`));
  expect(rows[0].find(({ kind }) => kind === 'one_time_code')?.body).toContain('{{code:');
  const as = asUser(me.user_id);
  const history = await harness.call({ url: '/users/me/sms-history', as });
  expect(history.json()).toMatchObject([{ id: dispatch.dispatch_id }]);
  const figures = await harness.call({ url: '/users/me/analytics', as });
  expect(figures.json()).toMatchObject({ total_messages: 1 });
});

it("an expired code isn't sent", async () => {
  const me = await aSubscriber(harness);
  await request(me.user_id, testStart);
  expect(await harness.textsOf(me.user_id)).toEqual([]);
  await request(me.user_id, inMinutes(10));
  await harness.moveTo(new Date(inMinutes(11)));
  expect(await textsTo(me.phone)).toEqual([]);
  expect(await harness.textsOf(me.user_id)).toMatchObject([{ state: 'missed' }]);
});

it('no code is sent after STOP, without consent or after deletion', async () => {
  const [stopped, deleted] = [await aSubscriber(harness), await aSubscriber(harness)];
  const undecided = await aSubscriber(harness, { consent: 'pending' });
  await textsTo(undecided.phone);
  await request(undecided.user_id);
  expect(await textsTo(undecided.phone)).toEqual([expect.stringContaining('Reply YES')]);
  await request(stopped.user_id);
  await harness.sandbox.reply(stopped.phone, 'STOP');
  await eventually(
    async () =>
      (await harness.published<{ user_id: string }>('sms.recipient.opted_out')).length > 0,
  );
  expect(await textsTo(stopped.phone)).toEqual([]);
  await request(deleted.user_id);
  await harness.receive('accounts.user.deleted', { user_id: deleted.user_id });
  await request(deleted.user_id);
  expect(await textsTo(deleted.phone)).toEqual([]);
  expect(await harness.textsOf(deleted.user_id)).toMatchObject([{ state: 'skipped' }]);
});

it('in testing mode no phone gets it: accounts emails it', async () => {
  const [me, testPhone] = [await aSubscriber(harness), aNumber()];
  await harness.db
    .updateTable('testing_mode')
    .set({ enabled: true, test_phone: testPhone, revision: sql`revision + 1` })
    .execute();
  const request_id = await request(me.user_id);
  expect(await textsTo(me.phone)).toEqual([]);
  expect(await textsTo(testPhone)).toEqual([]);
  expect(await harness.published('sms.code.not_texted')).toEqual([
    { request_id, user_id: me.user_id },
  ]);
  expect(await harness.textsOf(me.user_id)).toMatchObject([
    { state: 'skipped', reason: 'testing_mode' },
  ]);
});

describe('The link that reverts a number change', () => {
  async function requestLink(user_id: string, recipient_version?: number): Promise<string> {
    const request_id = randomUUID();
    await harness.receive('accounts.code.requested', {
      ...{ request_id, user_id, expires_at: inMinutes(10), purpose: 'revert', recipient_version },
    });
    return linkToken(oneTimeCodeKey, request_id);
  }
  const changeNumber = async (me: Recipient, version = 2) => {
    const phone = aNumber();
    await harness.receive('accounts.recipient.changed', { ...me, version, phone });
    return phone;
  };
  const wordsOfLink = (token: string) =>
    `Daylift: Someone asked to change your number. Not you? Undo it and reset your password: https://daylift.example/revert-change#${token}`;

  it('is stored in no row', async () => {
    const me = await aSubscriber(harness);
    const token = await requestLink(me.user_id, 1);
    expect(await textsTo(me.phone)).toEqual([wordsOfLink(token)]);
    expect(JSON.stringify(await harness.textsOf(me.user_id))).not.toContain(token);
  });

  it('goes only to the old number, even after the change took effect', async () => {
    const me = await aSubscriber(harness);
    const pending_phone = aNumber();
    const changed = { ...me, version: 2, pending_phone };
    await harness.receive('accounts.recipient.changed', changed);
    await textsTo(pending_phone);
    const token = await requestLink(me.user_id, 2);
    const phone = pending_phone;
    await harness.receive('accounts.recipient.changed', {
      ...{ ...me, version: 3, phone, pending_phone: null, consent: 'pending' },
    });
    await harness.sandbox.reply(phone, 'STOP');
    await eventually(async () => (await isStopped(phone)) === true);
    expect(await textsTo(me.phone)).toEqual([wordsOfLink(token)]);
    expect(await textsTo(phone)).toEqual([expect.stringContaining('Reply YES')]);
  });

  it("isn't texted if the number changed before the request, or without a version", async () => {
    const me = await aSubscriber(harness);
    const phone = await changeNumber(me);
    await requestLink(me.user_id, 1);
    await requestLink(me.user_id);
    expect(await textsTo(phone)).toEqual([]);
    expect(await textsTo(me.phone)).toEqual([]);
  });

  it('says so when it undoes a change of email', async () => {
    const me = await aSubscriber(harness);
    const request_id = randomUUID();
    await harness.receive('accounts.code.requested', {
      ...{ request_id, user_id: me.user_id, expires_at: inMinutes(10) },
      ...{ purpose: 'revert', field: 'email', recipient_version: 1 },
    });
    const words = wordsOfLink(linkToken(oneTimeCodeKey, request_id));
    expect(await textsTo(me.phone)).toEqual([words.replace('your number', 'your email')]);
  });

  it('waits for the version of its request', async () => {
    const me = await aSubscriber(harness);
    await expect(requestLink(me.user_id, 2)).rejects.toThrow('not stored yet');
    expect(await harness.textsOf(me.user_id)).toEqual([]);
  });

  it("isn't sent to an old number that said STOP after the change", async () => {
    const me = await aSubscriber(harness);
    await requestLink(me.user_id, 1);
    await changeNumber(me);
    await harness.sandbox.reply(me.phone, 'STOP');
    await eventually(async () => (await isStopped(me.phone)) === true);
    expect(await textsTo(me.phone)).toEqual([]);
    expect(await harness.textsOf(me.user_id)).toContainEqual(
      expect.objectContaining({ kind: 'one_time_code', state: 'skipped', reason: 'opted_out' }),
    );
  });

  it("isn't sent to an old number that another account has proven since", async () => {
    const me = await aSubscriber(harness);
    await requestLink(me.user_id, 1);
    await changeNumber(me);
    await aSubscriber(harness, { phone: me.phone });
    expect(await textsTo(me.phone)).toEqual([]);
  });
});
