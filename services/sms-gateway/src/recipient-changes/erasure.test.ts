import type { Recipient } from '@daylift/contracts/accounts.events';
import { eventually } from '@daylift/testing/eventually';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aDispatch,
  aNumber,
  aSubscriber,
  entitlement,
  recipientFacts,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import type { SmsProvider } from '../provider/provider.ts';
import { eraseTextsOfDeleted } from './recipient-changes.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const erase = ({ user_id }: Recipient) => harness.receive('accounts.user.deleted', { user_id });
const inbound = (from: string, count: number) =>
  eventually(
    async () =>
      (
        await harness.db
          .selectFrom('inbound_texts')
          .select('id')
          .where('from_number', '=', from)
          .execute()
      ).length === count,
  );

async function allRows(): Promise<string> {
  const tables = await sql<{
    name: string;
  }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(harness.db);
  const rows = await Promise.all(
    tables.rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(harness.db)),
  );
  return JSON.stringify(rows.map((one) => one.rows));
}

it('only the hash of a number that said STOP remains of a deleted person', async () => {
  const before = aNumber();
  const me = recipientFacts({ phone: before, first_name: 'Zenobia', timezone: 'Asia/Kathmandu' });
  // Before the signup, from an earlier number and from the last one.
  await harness.sandbox.reply(before, 'Who are you, asks Zenobia?');
  await inbound(before, 1);
  await harness.receive('accounts.recipient.changed', me);
  await harness.receive('billing.subscription.changed', entitlement(me.user_id));
  await harness.sendAllDue();
  await harness.sandbox.reply(before, '7AM');
  await inbound(before, 2);
  const moved = { ...me, version: 2, phone: aNumber() };
  await harness.receive('accounts.recipient.changed', moved);
  const dispatch = aDispatch(me, harness, { content: 'Hi {{first_name}}' });
  await release(harness, [dispatch]);
  await harness.sendAllDue();
  await harness.reaches(dispatch.dispatch_id, 'delivered');
  await harness.sandbox.reply(moved.phone, 'STOP');
  await inbound(moved.phone, 1);
  const known = await allRows();
  for (const trace of ['Zenobia', moved.phone, before, 'Kathmandu', 'come at 7 AM'])
    expect(known).toContain(trace);
  await erase(me);
  const left = await allRows();
  for (const trace of ['Zenobia', moved.phone, before, 'Kathmandu', 'come at 7 AM'])
    expect(left).not.toContain(trace);
  expect(left).toContain(harness.deps.numberHash(moved.phone));
  // No one with that number gets a text before START.
  const recreated = recipientFacts({ phone: moved.phone });
  await harness.receive('accounts.recipient.changed', recreated);
  await harness.receive('billing.subscription.changed', entitlement(recreated.user_id));
  await harness.sendAllDue();
  const texts = (await harness.sandbox.texts(moved.phone)).map(({ text }) => text);
  expect(texts.filter((text) => text.includes('Welcome'))).toEqual([]);
});

it('replies to numbers from before they belonged to a deleted person are erased, a stranger keeps theirs', async () => {
  const [before, last, stranger] = [aNumber(), aNumber(), aNumber()];
  for (const number of [before, last, stranger]) {
    await harness.sandbox.reply(number, 'HELP');
    await inbound(number, 1);
  }
  await harness.sendAllDue();
  const me = await aSubscriber(harness, { phone: before });
  await harness.receive('accounts.recipient.changed', { ...me, version: 2, phone: last });
  const known = await allRows();
  for (const number of [before, last, stranger]) expect(known).toContain(number);
  await erase(me);
  const left = await allRows();
  for (const number of [before, last]) expect(left).not.toContain(number);
  expect(left).toContain(stranger);
});

it('a stranger who now has a former number of a deleted person keeps their replies', async () => {
  const former = aNumber();
  const me = await aSubscriber(harness, { phone: former });
  await harness.sandbox.reply(former, 'HELP');
  await inbound(former, 1);
  await harness.sendAllDue();
  await harness.receive('accounts.recipient.changed', { ...me, version: 2, phone: aNumber() });
  await harness.sandbox.reply(former, 'HELP');
  await inbound(former, 2);
  await harness.sendAllDue();
  await harness.sandbox.reply(former, 'HELP');
  await inbound(former, 3);
  await erase(me);
  await harness.sendAllDue();
  const sent = (await harness.sandbox.texts(former)).map(({ text }) => text);
  expect(sent).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/STOP/)));
  const kept = await harness.db
    .selectFrom('texts')
    .select('body')
    .where('to_number', '=', former)
    .execute();
  expect(kept.map(({ body }) => body)).toEqual(sent.slice(1));
});

it("late events in any order don't restore a deleted person", async () => {
  const me = await aSubscriber(harness, { version: 5 });
  await erase(me);
  const stranger = recipientFacts();
  // The deletion can be the first event about a user.
  await erase(stranger);
  for (const { user_id, phone } of [me, stranger]) {
    for (const version of [4, 5, 6])
      await harness.receive('accounts.recipient.changed', { ...me, user_id, phone, version });
    await harness.receive('billing.subscription.changed', entitlement(user_id, { version: 9 }));
    const row = await harness.db
      .selectFrom('recipients')
      .selectAll()
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ phone: null, number_hash: null, first_name: '', entitled: false });
  }
  expect(await allRows()).not.toContain(me.phone);
});

it('neither queued nor later texts are sent to a deleted person', async () => {
  const me = await aSubscriber(harness);
  const queued = aDispatch(me, harness);
  await release(harness, [queued]);
  await erase(me);
  const late = aDispatch(me, harness, { generation: 2 });
  await release(harness, [late]);
  await harness.sendAllDue();
  expect(await harness.sandbox.texts(me.phone)).toEqual([]);
  for (const { dispatch_id } of [queued, late])
    expect(await harness.text(dispatch_id)).toMatchObject({ state: 'skipped', reason: 'inactive' });
});

it('a text in flight is settled, counts for the day, and is then erased', async () => {
  const me = await aSubscriber(harness, { first_name: 'Zuleika' });
  const dispatch = aDispatch(me, harness);
  await release(harness, [dispatch]);
  const called = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { provider } = harness.deps;
  const slowProvider: SmsProvider = {
    ...provider,
    async send(text) {
      called.resolve();
      await released.promise;
      return provider.send(text);
    },
  };
  const sending = harness.send(dispatch.dispatch_id, { provider: slowProvider });
  await called.promise;
  await erase(me);
  released.resolve();
  expect(await sending).toBe('accepted');
  // Its receipt still finds it, by the provider's id.
  await harness.reaches(dispatch.dispatch_id, 'delivered');
  await harness.deps.db
    .transaction()
    .execute((trx) => eraseTextsOfDeleted(trx, harness.clock.now()));
  const left = await allRows();
  for (const trace of ['Zuleika', me.phone]) expect(left).not.toContain(trace);
  const second = aDispatch(me, harness, { generation: 2 });
  await release(harness, [second]);
  await harness.sendAllDue();
  expect(await harness.sandbox.texts(me.phone)).toHaveLength(1);
});
