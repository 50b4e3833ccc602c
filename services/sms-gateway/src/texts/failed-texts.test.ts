import { randomUUID } from 'node:crypto';
import type { FailedItems } from '@daylift/contracts/failed.http';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQueuedText, aSubscriber, asAdmin, asService } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { maxFailedAttempts } from './failed-attempts.repository.ts';
import { sendTexts } from './send-texts.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  const { db } = harness;
  await sql`create table unmarkable (id text primary key)`.execute(db);
  await sql`create function reject_mark() returns trigger language plpgsql as
    $$begin
      if exists (select from unmarkable where id = new.id::text) then raise exception 'no table for +14155550170'; end if;
      return new;
    end$$`.execute(db);
  await sql`create trigger reject_mark before update on texts for each row
    when (new.state = 'inflight') execute function reject_mark()`.execute(db);
});
afterAll(() => harness.close());

/** Runs `attempt` while the database rejects the mark of this text. */
async function whileUnmarkable(id: string, attempt: () => Promise<void>): Promise<void> {
  await sql`insert into unmarkable values (${id})`.execute(harness.db);
  await attempt();
  await sql`delete from unmarkable`.execute(harness.db);
}

const fail = (id: string, times = 1) =>
  whileUnmarkable(id, async () => {
    for (let time = 0; time < times; time += 1) expect(await harness.send(id)).toBe('failed');
  });
const parked = async () =>
  (await harness.call({ url: '/internal/parked', as: asService })).json<FailedItems>().items;
const end = (id: string, how: 'replay' | 'discard') =>
  harness.call({
    method: 'POST',
    url: `/admin/parked/sms-gateway/text.${id}/${how}`,
    as: asAdmin('owner'),
  });

describe('A text whose attempts fail', () => {
  it('is retried a few times, then waits for an admin with the reason', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await fail(id, maxFailedAttempts - 1);
    expect(await parked()).toEqual([]);
    await fail(id);
    expect(await harness.send(id)).toBe('not_mine');
    expect(await parked()).toMatchObject([
      { id: `text.${id}`, type: 'daily', tries: maxFailedAttempts, user_id: recipient.user_id },
    ]);
    expect((await parked())[0]?.error).toBe('no table for [number]');
    const responses = await Promise.all([end(id, 'replay'), end(id, 'replay')]);
    expect(responses.map((one) => one.json())).toEqual(
      Array(2).fill({ outcome: 'replayed', error: null }),
    );
    expect(await parked()).toEqual([]);
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
    expect(await harness.published<{ action: string }>('sms.admin.acted')).toMatchObject([
      { action: 'parked.replayed', target: `text.${id}`, username: 'someone' },
    ]);
  });

  it("is never sent once it's discarded, and the scheduler is notified", async () => {
    const { id, recipient } = await aQueuedText(harness);
    await fail(id, maxFailedAttempts);
    expect((await end(id, 'discard')).json()).toMatchObject({ outcome: 'discarded' });
    expect((await end(id, 'replay')).statusCode).toBe(409);
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    const settled = await harness.settled();
    expect(settled.filter((one) => one.dispatch_id === id)).toMatchObject([
      { outcome: 'skipped', reason: 'discarded' },
    ]);
  });
});

describe('A group with a text that cannot be marked', () => {
  it('sends the others', async () => {
    const texts = await Promise.all(Array.from({ length: 5 }, () => aQueuedText(harness)));
    const [bad, ...good] = texts;
    await whileUnmarkable(bad!.id, async () => {
      const results = await sendTexts(
        harness.deps,
        texts.map(({ id }) => id),
      );
      expect(results).toEqual(['failed', ...good.map(() => 'accepted')]);
    });
    for (const { recipient } of good)
      expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
    expect(await harness.send(bad!.id)).toBe('accepted');
  });
});

describe('A failed event that is replayed late', () => {
  it("doesn't overwrite a newer one", async () => {
    const facts = await aSubscriber(harness, { version: 1, first_name: 'Old' });
    const late = { ...facts, version: 2, first_name: 'Late' };
    const id = randomUUID();
    const type = 'accounts.recipient.changed';
    const occurred_at = harness.clock.now().toISOString();
    await harness.db
      .insertInto('parked_events')
      .values({
        event_id: id,
        type,
        payload: JSON.stringify({ id, type, occurred_at, data: late }),
        tries: 5,
        error: 'broken',
        parked_at: harness.clock.now(),
        ended_at: null,
      })
      .execute();
    await harness.receive(type, { ...facts, version: 3, first_name: 'New' });
    const response = await harness.call({
      method: 'POST',
      url: `/admin/parked/sms-gateway/event.${id}/replay`,
      as: asAdmin('operator'),
    });
    expect(response.json()).toEqual({ outcome: 'replayed', error: null });
    const stored = await harness.db
      .selectFrom('recipients')
      .select(['version', 'first_name'])
      .where('user_id', '=', facts.user_id)
      .executeTakeFirst();
    expect(stored).toEqual({ version: 3, first_name: 'New' });
  });
});
