import { randomUUID } from 'node:crypto';
import { dayMs, hourMs } from '@daylift/clock/durations';
import type { ProviderInfo } from '@daylift/contracts/sms-operations.http';
import { createCleanupLoop } from '@daylift/database/cleanup';
import { eventually } from '@daylift/testing/eventually';
import { readMetrics } from '@daylift/testing/metrics';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import {
  aDispatch,
  aNumber,
  aSubscriber,
  entitlement,
  recipientFacts,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { sendAlerts } from '../alerts/send-alerts.ts';
import { highCostPrefixes, readPrefixCaps } from './prefix-caps.ts';
import { oldSpend } from './spend.repository.ts';
import { createSpendLimit } from './spend-limit.ts';

let harness: Harness;
const pricePerPart = '0.01';
const generous = {
  ...{ perNumberDay: 5, perPrefixHour: 1_000, perCountryHour: 1_000, perHour: 1_000 },
  dollarsPerCountryHour: 1_000,
  highCost: new Map<string, number>(),
};
beforeAll(async () => {
  harness = await createHarness();
});
afterEach(async () => {
  Object.assign(harness.deps.spendCaps, generous);
  setLimit(undefined);
  const unlimited = { att_per_minute: null, tmobile_per_day: null };
  await harness.db.updateTable('senders').set(unlimited).execute();
  await moveBy(2 * hourMs);
});
afterAll(() => harness.close());

const moveBy = (ms: number) => harness.moveTo(new Date(harness.clock.now().getTime() + ms));
const refusals = async (cap: string) =>
  (await readMetrics(harness.app))('sms_spend_refused_total', { cap }) ?? 0;
const setLimit = (dollars: string | undefined) =>
  Object.assign(harness.deps.spendLimit, createSpendLimit({ ...harness, dollars, pricePerPart }));
const readLimit = async () =>
  (await adminCalls(harness).get('/admin/sms-system/provider')).json<ProviderInfo>().spend_limit;
const due = (texts: number) =>
  harness.receive('scheduler.due_texts.changed', {
    until: new Date(Math.ceil(harness.clock.now().getTime() / dayMs) * dayMs).toISOString(),
    texts,
    counted_at: harness.clock.now().toISOString(),
  });
const requestCode = (user_id: string) =>
  harness.receive('accounts.code.requested', {
    request_id: randomUUID(),
    user_id,
    expires_at: new Date(harness.clock.now().getTime() + 600_000).toISOString(),
  });
const textsTo = async (phone: string) => {
  await harness.sendAllDue();
  return harness.sandbox.texts(phone);
};
/** Paid once, with an unproven number. */
async function anUnproven(phone = aNumber()) {
  const facts = recipientFacts({ phone, phone_proven: false });
  await harness.receive('accounts.recipient.changed', facts);
  await harness.receive(
    'billing.subscription.changed',
    entitlement(facts.user_id, { status: 'canceled', entitled: false }),
  );
  return facts;
}

it('no code is texted before a checkout or proof', async () => {
  const facts = recipientFacts({ phone_proven: false });
  await harness.receive('accounts.recipient.changed', facts);
  await requestCode(facts.user_id);
  expect(await textsTo(facts.phone)).toEqual([]);
});

it('signup, code, delete, repeat: one text a minute and five a day per number', async () => {
  const phone = aNumber();
  for (let round = 0; round < 12; round += 1) {
    const { user_id } = await anUnproven(phone);
    await requestCode(user_id);
    const before = (await textsTo(phone)).length;
    await requestCode(user_id);
    expect((await textsTo(phone)).length).toBe(before);
    await harness.receive('accounts.user.deleted', { user_id });
    await moveBy(61_000);
  }
  expect((await textsTo(phone)).length).toBeGreaterThan(0);
  expect((await textsTo(phone)).length).toBeLessThanOrEqual(5);
});

it('a second code within a minute is sent when the minute is over', async () => {
  const { user_id, phone } = await anUnproven();
  await requestCode(user_id);
  await requestCode(user_id);
  expect(await textsTo(phone)).toHaveLength(1);
  await moveBy(60_000);
  expect(await textsTo(phone)).toHaveLength(2);
});

it.each([
  ['prefix', 'perPrefixHour'],
  ['country', 'perCountryHour'],
  ['all', 'perHour'],
] as const)(
  'a botnet is stopped by the cap of the %s, and subscribers still get texts',
  async (cap, setting) => {
    harness.deps.spendCaps[setting] = 20;
    const refusedBefore = await refusals(cap);
    const many = await Promise.all(Array.from({ length: 30 }, () => anUnproven()));
    for (let round = 0; round < 3; round += 1)
      await Promise.all(many.map(({ user_id }) => requestCode(user_id)));
    await harness.sendAllDue();
    const sent = await Promise.all(many.map(({ phone }) => harness.sandbox.texts(phone)));
    expect(sent.flat().length).toBeLessThanOrEqual(20);
    expect(sent.flat().length).toBeGreaterThan(0);
    expect(await refusals(cap)).toBeGreaterThan(refusedBefore);
    const honest = await aSubscriber(harness);
    await requestCode(honest.user_id);
    expect(await textsTo(honest.phone)).toHaveLength(1);
  },
);

it('1,000 botnet requests text no number twice a minute or six times a day, and none abroad', async () => {
  Object.assign(harness.deps.spendCaps, { perPrefixHour: 120, perCountryHour: 90, perHour: 75 });
  const abroad = Array.from({ length: 10 }, (_unused, index) => `+18765${550_000 + index}`);
  const victims = [...Array.from({ length: 40 }, () => aNumber()), ...abroad];
  const bots = [];
  for (const phone of victims) bots.push(await anUnproven(phone));
  const roundMs = 25_000;
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(bots.map(({ user_id }) => requestCode(user_id)));
    await harness.sendAllDue();
    await moveBy(roundMs);
  }
  const sent = new Map<string, number[]>();
  for (const { to, accepted_at } of await harness.sandbox.texts())
    if (victims.includes(to)) sent.set(to, [...(sent.get(to) ?? []), Date.parse(accepted_at)]);
  expect(abroad.filter((phone) => sent.has(phone))).toEqual([]);
  const hours = Map.groupBy([...sent.values()].flat(), (at) => Math.floor(at / hourMs));
  for (const texts of hours.values()) expect(texts.length).toBeLessThanOrEqual(75);
  expect(sent.size).toBeGreaterThan(15);
  for (const times of sent.values()) {
    expect(times.length).toBeLessThanOrEqual(5);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.min(...gaps, 60_000)).toBeGreaterThanOrEqual(60_000);
  }
  const honest = await aSubscriber(harness);
  await requestCode(honest.user_id);
  expect(await textsTo(honest.phone)).toHaveLength(1);
}, 120_000);

it('an expensive range is refused or capped, before its prefix and country', async () => {
  harness.deps.spendCaps.highCost = readPrefixCaps(`${highCostPrefixes},+4474=0,+447400=2`);
  const before = await refusals('high_cost');
  const sent = [];
  const british = ['+447410111111', '+447400123451', '+447400223452', '+447400323453'];
  for (const phone of ['+447924111111', ...british]) {
    await requestCode((await anUnproven(phone)).user_id);
    sent.push((await textsTo(phone)).length);
  }
  expect(sent).toEqual([0, 0, 1, 1, 0]);
  expect(await refusals('high_cost')).toBe(before + 3);
  const { user_id, phone } = await aSubscriber(harness, { phone: '+447410111112' });
  await requestCode(user_id);
  expect(await textsTo(phone)).not.toEqual([]);
});

it('an expensive country gets fewer texts, as does one without a known price', async () => {
  const row = { date: '2027-03-09', country: 'GB', texts: 10, cost: '1.00000' };
  await harness.db.insertInto('text_costs').values(row).execute();
  harness.deps.spendCaps.dollarsPerCountryHour = 0.2;
  const before = await refusals('country');
  const sent = [];
  const british = ['+447400123461', '+447400123462', '+447400123463'];
  for (const phone of [...british, aNumber(), aNumber(), aNumber()]) {
    await requestCode((await anUnproven(phone)).user_id);
    sent.push((await textsTo(phone)).length);
  }
  expect(sent).toEqual([1, 1, 0, 1, 1, 0]);
  expect(await refusals('country')).toBe(before + 2);
  await harness.db.deleteFrom('text_costs').execute();
});

it("codes leave enough of the provider's daily limit for today's texts, and staff are alerted", async () => {
  await harness.moveTo(new Date('2027-03-11T00:00:30Z'));
  await harness.sendAllDue();
  await harness.deps.senderCounts.flush();
  await due(5);
  setLimit('1000');
  const { reserved, spent, refused } = (await readLimit())!;
  expect(refused).toBe(0);
  expect(reserved).toBeCloseTo(0.05);
  setLimit(String(reserved + spent + 0.02));
  expect(await readLimit()).toMatchObject({ cost_per_text: 0.01, texts_left: 2 });
  await adminCalls(harness).post('/admin/settings/alert-email', {
    ...{ email: 'ops@daylift.example', failure_threshold: 20, enabled: true },
  });
  const strangers = [];
  for (let index = 0; index < 4; index += 1) strangers.push(await anUnproven());
  await Promise.all(strangers.map(({ user_id }) => requestCode(user_id)));
  await harness.sendAllDue();
  const sent = await Promise.all(strangers.map(({ phone }) => harness.sandbox.texts(phone)));
  expect(sent.flat()).toHaveLength(2);
  await harness.deps.senderCounts.flush();
  expect(await readLimit()).toMatchObject({ texts_left: 0, refused: 2, reserved });
  expect(await sendAlerts(harness.deps)).toBe(1);
  expect(await sendAlerts(harness.deps)).toBe(0);
  const honest = await aSubscriber(harness);
  await requestCode(honest.user_id);
  expect(await textsTo(honest.phone)).not.toEqual([]);
  await harness.deps.senderCounts.flush();
  expect(await sendAlerts(harness.deps)).toBe(1);
  expect(await sendAlerts(harness.deps)).toBe(0);
  const mails = await harness.db.selectFrom('mails').select('text').orderBy('key').execute();
  expect(mails.map(({ text }) => text)).toEqual([
    expect.stringContaining("Daily texts aren't affected"),
    expect.stringMatching(/need about \$0\.0[1-9] more than the limit.*or some won't be sent/),
  ]);
  for (const { text } of mails) expect(text).toMatch(/Only replies, and codes .*, are refused\./);
  await moveBy(24 * hourMs);
  expect(await readLimit()).toMatchObject({ refused: 0, texts_left: expect.any(Number) });
  await requestCode((await anUnproven()).user_id);
});

it('room for codes is at the price of the most expensive country, as they are admitted', async () => {
  const date = harness.clock.now().toISOString().slice(0, 10);
  const costs = [
    { date, country: 'US', texts: 90, cost: '0.90000' },
    { date, country: 'GB', texts: 10, cost: '1.00000' },
  ];
  await harness.db.insertInto('text_costs').values(costs).execute();
  setLimit('1000');
  const { reserved, spent } = (await readLimit())!;
  setLimit(String(reserved + spent + 0.09));
  expect(await readLimit()).toMatchObject({ cost_per_text: 0.019, texts_left: 0 });
  const stranger = await anUnproven();
  await requestCode(stranger.user_id);
  expect(await textsTo(stranger.phone)).toEqual([]);
  await harness.db.deleteFrom('text_costs').execute();
});

it("the scheduler's texts are reserved until they are sent, and then counted once", async () => {
  await harness.moveTo(new Date('2027-03-12T14:20:00Z'));
  const people = [];
  for (let index = 0; index < 3; index += 1) people.push(await aSubscriber(harness));
  await harness.sendAllDue();
  await harness.deps.senderCounts.flush();
  const read = async () => {
    setLimit('1000');
    return (await readLimit())!;
  };
  await due(8);
  const before = await read();
  expect(before.reserved).toBeCloseTo(0.08);
  const [first, ...others] = people;
  await release(
    harness,
    others.map((one) => aDispatch(one, harness, { local_date: '2027-03-12' })),
  );
  expect((await read()).reserved).toBeCloseTo(0.08);
  // Not the scheduler's.
  await requestCode(first!.user_id);
  expect((await read()).reserved).toBeCloseTo(0.09);
  await harness.sendAllDue();
  await harness.deps.senderCounts.flush();
  const after = await read();
  expect(after.reserved).toBeCloseTo(0.06);
  expect(after.spent).toBeCloseTo(before.spent + 0.03);
  await harness.moveTo(new Date('2027-03-12T14:21:00Z'));
  await due(6);
  expect((await read()).reserved).toBeCloseTo(0.06);
  await harness.moveTo(new Date('2027-03-13T00:00:01Z'));
  expect((await read()).reserved).toBe(0);
});

it('without a figure for the day, daily texts and announcements are reserved once they are queued', async () => {
  const people = [await aSubscriber(harness), await aSubscriber(harness)];
  await harness.sendAllDue();
  await harness.deps.senderCounts.flush();
  setLimit('1000');
  expect((await readLimit())!.reserved).toBe(0);
  const [daily, announcement] = people.map((one) => aDispatch(one, harness));
  await release(harness, [daily!, { ...announcement!, kind: 'announcement' }]);
  expect((await readLimit())!.reserved).toBeCloseTo(0.02);
  await harness.sendAllDue();
});

it("a flood to an expensive country is booked at that country's price", async () => {
  const date = harness.clock.now().toISOString().slice(0, 10);
  await harness.db
    .insertInto('text_costs')
    .values([
      { date, country: 'GB', texts: 10, cost: '1.00000' },
      { date, country: 'US', texts: 1_000, cost: '10.00000' },
    ])
    .execute();
  await harness.deps.senderCounts.flush();
  setLimit('1000');
  const before = (await readLimit())!;
  const limit = String(before.spent + before.reserved + 0.25);
  setLimit(limit);
  const sent = [];
  for (const phone of ['+447400123471', '+447400123472', '+447400123473']) {
    await requestCode((await anUnproven(phone)).user_id);
    sent.push((await textsTo(phone)).length);
  }
  expect(sent).toEqual([1, 1, 0]);
  await harness.deps.senderCounts.flush();
  setLimit(limit);
  expect((await readLimit())!.spent).toBeCloseTo(before.spent + 0.2, 1);
  await requestCode((await anUnproven('+447400123474')).user_id);
  expect(await textsTo('+447400123474')).toEqual([]);
  await harness.db.deleteFrom('text_costs').execute();
});

it("a flood takes a tenth of a slow sender's hour and an hour's part of half its day, and ends with its hour", async () => {
  const sender = harness.db.updateTable('senders');
  const count = async (strangers: number) => {
    const ids = [];
    for (let index = 0; index < strangers; index += 1) ids.push((await anUnproven()).user_id);
    for (const id of ids) await requestCode(id);
    const texts = harness.db.selectFrom('texts').where('user_id', 'in', ids);
    return (await texts.select('id').execute()).length;
  };
  await moveBy(26 * hourMs);
  await sender.set({ att_per_minute: 2 }).execute();
  expect(await count(15)).toBe(12);
  await moveBy(hourMs);
  // 24 of them are half a day's texts.
  await sender.set({ tmobile_per_day: 96 }).execute();
  expect(await count(4)).toBe(2);
  await moveBy(hourMs);
  expect(await count(4)).toBe(2);
  const { user_id } = await aSubscriber(harness);
  await requestCode(user_id);
  const texts = harness.db.selectFrom('texts').where('user_id', '=', user_id);
  expect(await texts.select('id').execute()).toHaveLength(1);
});

it('a refused text uses up no cap', async () => {
  Object.assign(harness.deps.spendCaps, { perHour: 2, perCountryHour: 3 });
  const sendTo = async () => {
    const { user_id, phone } = await anUnproven();
    await requestCode(user_id);
    return (await textsTo(phone)).length;
  };
  setLimit('0');
  expect([await sendTo(), await sendTo(), await sendTo()]).toEqual([0, 0, 0]);
  setLimit(undefined);
  expect([await sendTo(), await sendTo(), await sendTo()]).toEqual([1, 1, 0]);
  harness.deps.spendCaps.perHour = 3;
  expect(await sendTo()).toBe(1);
});

it('without room, a stranger still gets a reply to HELP; other replies are refused and counted', async () => {
  const phone = aNumber();
  for (let account = 0; account < 2; account += 1) await anUnproven(phone);
  const reply = async (content: string) => {
    const received = () =>
      harness.db
        .selectFrom('inbound_texts')
        .where('from_number', '=', phone)
        .select('id')
        .execute();
    const before = (await received()).length;
    await harness.sandbox.reply(phone, content);
    await eventually(async () => (await received()).length > before, { what: 'the reply' });
    return (await textsTo(phone)).length;
  };
  setLimit('1000');
  expect(await reply('YES')).toBe(1);
  setLimit('0');
  const [counted, refused] = [await refusals('spend_limit'), (await readLimit())!.refused];
  expect(await reply('YES')).toBe(1);
  expect(await refusals('spend_limit')).toBe(counted + 1);
  expect((await readLimit())!.refused).toBe(refused + 1);
  expect(await reply('HELP')).toBe(2);
});

it('an unsupported number gets nothing, however it got into an account', async () => {
  for (const phone of ['+447012345678', '+18765550123', '+881612345678', '+33612345678']) {
    const { user_id } = await anUnproven(phone);
    await requestCode(user_id);
    expect(await textsTo(phone)).toEqual([]);
  }
});

it('spend per number is forgotten after a day', async () => {
  const { user_id } = await anUnproven();
  await requestCode(user_id);
  await moveBy(26 * hourMs);
  await createCleanupLoop(harness, oldSpend).run?.();
  expect(await harness.db.selectFrom('number_spend').selectAll().execute()).toEqual([]);
  expect(await harness.db.selectFrom('area_spend').selectAll().execute()).toEqual([]);
});

it('every paid signup of a busy hour is welcomed, and can get a code immediately', async () => {
  Object.assign(harness.deps.spendCaps, { perPrefixHour: 5, perCountryHour: 5, perHour: 5 });
  const joined = Array.from({ length: 20 }, () => recipientFacts({ phone_proven: false }));
  for (const facts of joined) {
    await harness.receive('accounts.recipient.changed', facts);
    await harness.receive('billing.subscription.changed', entitlement(facts.user_id));
  }
  await harness.sendAllDue();
  for (const { phone } of joined) expect(await harness.sandbox.texts(phone)).toHaveLength(1);
  const [first] = joined;
  if (first === undefined) throw new Error('No one joined.');
  await requestCode(first.user_id);
  expect(await textsTo(first.phone)).toHaveLength(2);
});
