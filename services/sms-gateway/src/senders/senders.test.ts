import type { Sender, SenderLoad, SenderPool } from '@daylift/contracts/senders.http';
import { eventually } from '@daylift/testing/eventually';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aQueuedText, aSubscriber } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { smsFrom } from '../../test/sandbox.ts';
import { sendTexts } from '../texts/send-texts.ts';

const path = '/admin/senders';
let harness: Harness;
let admin: ReturnType<typeof adminCalls>;

beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());

let numbers = 0;
async function add(limits: object = {}): Promise<string> {
  numbers += 1;
  const number = `+1888555${String(7_000 + numbers)}`;
  const body = { number, type: 'toll_free', country: 'US', ...limits };
  expect((await admin.post(path, body)).statusCode).toBe(200);
  return number;
}
const change = (number: string, body: object, role: 'viewer' | 'operator' = 'operator') =>
  admin.put(`${path}/${encodeURIComponent(number)}`, body, role);
const pool = async () => (await admin.get(path, 'operator')).json<SenderPool>();
const find = async (number: string): Promise<Sender> =>
  (await pool()).senders.find((one) => one.number === number)!;
const senderOf = async (id: string) => (await harness.text(id)).sender;
const keep = (userId: string, sender: string) =>
  harness.db.updateTable('recipients').set({ sender }).where('user_id', '=', userId).execute();

describe('the pool of senders', () => {
  it('starts with the configured number even if another is added first, and subscribers from before stay with it', async () => {
    await harness.db.deleteFrom('senders').execute();
    const added = await add();
    const { senders, account_per_second } = await pool();
    expect(account_per_second).toBe(1_000);
    expect(senders).toMatchObject([
      { number: smsFrom, type: 'toll_free', state: 'active' },
      { number: added },
    ]);
    const text = await aQueuedText(harness);
    await keep(text.recipient.user_id, 'first');
    expect(await harness.send(text.id)).toBe('accepted');
    expect(await senderOf(text.id)).toBe(smsFrom);
  });

  it('shows subscribers the number their texts come from, even before the first one', async () => {
    const { user_id } = await aSubscriber(harness);
    const shown = async () => {
      const as = { kind: 'user', user_id, session_version: 0 } as const;
      return (await harness.call({ url: '/users/me/sender', as })).json();
    };
    expect(await shown()).toEqual({ number: smsFrom });
    const number = await add();
    await keep(user_id, number);
    expect(await shown()).toEqual({ number });
    await keep(user_id, 'first');
    expect(await shown()).toEqual({ number: smsFrom });
  });

  it("has the provider's limits unless others are given", async () => {
    const number = await add();
    expect(await find(number)).toMatchObject({ per_second: 20, per_hour: 72_000, weight: 1 });
    await change(number, { per_second: 5, per_minute: 60 });
    expect(await find(number)).toMatchObject({ per_second: 5, per_minute: 60, per_hour: 3_600 });
    await change(number, { state: 'draining' });
  });

  it('is read by viewers and changed by operators only, and every change is in the audit log', async () => {
    const number = await add();
    expect((await admin.get(path, 'viewer')).statusCode).toBe(200);
    expect((await change(number, { state: 'paused' }, 'viewer')).statusCode).toBe(403);
    expect((await admin.post(path, {}, 'viewer')).statusCode).toBe(403);
    expect(await admin.refusals('GET', path)).toEqual([401, 403]);
    await change(number, { state: 'paused' });
    expect((await admin.adminActions()).slice(-2)).toMatchObject([
      { action: 'sender.added', target: number },
      { action: 'sender.changed', target: number, details: { state: { to: 'paused' } } },
    ]);
  });

  it('rejects a known number, one that does not fit its type, and changes of an unknown one', async () => {
    const known = { number: smsFrom, type: 'toll_free', country: 'US' };
    expect((await admin.post(path, known)).statusCode).toBe(409);
    const wrong = { ...known, number: '+13125550100' };
    expect((await admin.post(path, wrong)).statusCode).toBe(400);
    expect((await change('+18885559999', { state: 'paused' })).statusCode).toBe(404);
  });
});

const countWaiting = async (): Promise<number> => {
  const { rows } = await sql<{
    waiting: number;
  }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(harness.db);
  return rows[0]!.waiting;
};

it('keeps one active sender when two operators drain the last two at once', async () => {
  const last = [smsFrom, await add()];
  const drain = (number: string) => change(number, { state: 'draining' });
  for (const { number } of (await pool()).senders) if (!last.includes(number)) await drain(number);
  let both: ReturnType<typeof drain>[] = [];
  await harness.db.transaction().execute(async (trx) => {
    await trx.selectFrom('senders').select('number').forUpdate().execute();
    both = last.map(drain);
    await eventually(async () => (await countWaiting()) === 2);
  });
  const answers = await Promise.all(both);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  await change(smsFrom, { state: 'active' });
  await drain(last[1]!);
});

describe('the forecast', () => {
  it('learns the limits, and the senders of subscribers except those who will get another one', async () => {
    const number = await add({
      per_second: 2,
      att_per_minute: 60,
      tmobile_per_day: 500,
      brand: 'B',
    });
    const draining = await add();
    const [kept, fresh, moving] = await Promise.all([
      aSubscriber(harness),
      aSubscriber(harness),
      aSubscriber(harness),
    ]);
    await keep(kept.user_id, number);
    await keep(fresh.user_id, '');
    await keep(moving.user_id, draining);
    await change(draining, { state: 'draining' });
    const user_ids = [kept, fresh, moving].map(({ user_id }) => user_id);
    const load = (as?: { kind: 'service'; name: string }) =>
      harness.call({
        method: 'POST',
        url: '/internal/sender-load',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user_ids }),
        ...(as && { as }),
      });
    const response = await load({ kind: 'service', name: 'scheduler' });
    const { subscribers, senders } = response.json<SenderLoad>();
    expect(subscribers).toEqual({
      [kept.user_id]: { number, country: null },
      [fresh.user_id]: { number: null, country: 'US' },
      [moving.user_id]: { number: null, country: 'US' },
    });
    expect(senders.find((one) => one.number === number)).toMatchObject({
      per_hour: 500,
      rates: [
        { key: `sender:${number}`, count: 2, per_ms: 1_000 },
        { key: `att:${number}`, count: 60, per_ms: 60_000 },
      ],
      days: [{ key: 'brand:B', count: 500, used: 0 }],
    });
    expect((await load()).statusCode).toBe(401);
    await change(number, { state: 'draining' });
  });
});

describe('a subscriber', () => {
  it('gets the sender with the most room in their hour, and keeps it', async () => {
    const number = await add({ per_second: 1_000, weight: 100 });
    const text = await aQueuedText(harness);
    await harness.send(text.id);
    expect(await senderOf(text.id)).toBe(number);
    const [sent] = await harness.sandbox.texts(text.recipient.phone);
    expect(sent).toMatchObject({ from: number });
    // With room elsewhere, the sender stays.
    const better = await add({ per_second: 10_000, weight: 100 });
    const row = await harness.db
      .selectFrom('recipients')
      .select('sender')
      .where('user_id', '=', text.recipient.user_id)
      .executeTakeFirst();
    expect(row?.sender).toBe(number);
    await change(number, { state: 'draining' });
    await change(better, { state: 'draining' });
  });

  it('of a draining sender moves to another one with the next text', async () => {
    const number = await add();
    const text = await aQueuedText(harness);
    await keep(text.recipient.user_id, number);
    await change(number, { state: 'draining' });
    expect(await harness.send(text.id)).toBe('accepted');
    expect(await senderOf(text.id)).not.toBe(number);
  });

  it('of a paused sender waits, even if it is paused between decision and mark', async () => {
    const number = await add();
    const [first, second] = [await aQueuedText(harness), await aQueuedText(harness)];
    for (const { recipient } of [first, second]) await keep(recipient.user_id, number);
    const { limiter } = harness.deps;
    const take: typeof limiter.take = async (texts, options) => {
      await change(number, { state: 'paused' });
      return limiter.take(texts, options);
    };
    expect(await harness.send(first.id, { limiter: { ...limiter, take } })).not.toBe('accepted');
    expect(await harness.send(second.id)).toBe('waits');
    expect(await harness.sandbox.texts(first.recipient.phone)).toEqual([]);
    expect(await harness.text(second.id)).toMatchObject({ state: 'queued' });
  });

  it('gets the reply from the number that they texted, and STOP there stops every sender', async () => {
    const number = await add();
    const { phone, user_id } = await aSubscriber(harness);
    await harness.sandbox.reply(phone, 'HELP', number);
    await eventually(async () => (await harness.textsOf(user_id)).length === 1);
    const [help] = await harness.textsOf(user_id);
    await harness.send(help!.id);
    expect((await harness.sandbox.texts(phone))[0]).toMatchObject({ from: number });
    await harness.sandbox.reply(phone, 'STOP', number);
    await eventually(async () =>
      (await harness.published<{ user_id: string }>('sms.recipient.opted_out')).some(
        (event) => event.user_id === user_id,
      ),
    );
    await change(number, { state: 'draining' });
  });
});

describe('the limits of a sender', () => {
  it('hold per second beside those of others', async () => {
    const slow = await add({ per_second: 2 });
    const texts = await Promise.all(Array.from({ length: 8 }, () => aQueuedText(harness)));
    for (const { recipient } of texts.slice(0, 5)) await keep(recipient.user_id, slow);
    for (const { recipient } of texts.slice(5)) await keep(recipient.user_id, 'first');
    await sendTexts(
      harness.deps,
      texts.map(({ id }) => id),
    );
    const sentAt = async ({ recipient }: { recipient: { phone: string } }) =>
      (await harness.sandbox.texts(recipient.phone)).map(({ accepted_at }) =>
        Date.parse(accepted_at),
      );
    const limited = (await Promise.all(texts.slice(0, 5).map(sentAt))).flat().toSorted();
    for (const [index, at] of limited.slice(2).entries())
      expect(at - limited[index]!).toBeGreaterThanOrEqual(1_000);
    const others = (await Promise.all(texts.slice(5).map(sentAt))).flat();
    expect(others).toHaveLength(3);
    for (const at of others) expect(at).toBeLessThan(limited[2] ?? Infinity);
    await change(slow, { state: 'draining' });
  });

  it('are halved for a while after AT&T refuses a text over its limit', async () => {
    const number = await add({ per_second: 2 });
    const texts = await Promise.all(Array.from({ length: 4 }, () => aQueuedText(harness)));
    for (const { recipient } of texts) await keep(recipient.user_id, number);
    const [refused, ...others] = texts;
    await harness.sandbox.faults({
      recipients: { [refused!.recipient.phone]: { code: '40018', final: 'delivery_failed' } },
    });
    await harness.send(refused!.id);
    await harness.reaches(refused!.id, 'queued');
    const until = new Date(harness.clock.now().getTime() + 16 * 60_000);
    const { slowed_until } = await find(number);
    expect(Date.parse(slowed_until ?? '')).toBeLessThan(until.getTime());
    await sendTexts(
      harness.deps,
      others.map(({ id }) => id),
    );
    const at = await Promise.all(
      others.map(async ({ recipient }) =>
        Date.parse((await harness.sandbox.texts(recipient.phone))[0]!.accepted_at),
      ),
    );
    const [first = 0, , third = 0] = at.toSorted();
    expect(third - first).toBeGreaterThanOrEqual(1_500);
    await harness.sandbox.faults({ reset: true });
    await change(number, { state: 'draining' });
  });

  it("hold per day; the day's other texts wait for the next", async () => {
    const number = await add({ per_day: 2 });
    const texts = await Promise.all(Array.from({ length: 3 }, () => aQueuedText(harness)));
    for (const { recipient } of texts) await keep(recipient.user_id, number);
    const results = await sendTexts(
      harness.deps,
      texts.map(({ id }) => id),
    );
    expect(results.toSorted()).toEqual(['accepted', 'accepted', 'waits']);
    await harness.deps.senderCounts.flush();
    expect(await find(number)).toMatchObject({ sent: 2, failed: 0, subscribers: 3 });
  });
});
