import { randomUUID } from 'node:crypto';
import type { FailedItems } from '@daylift/contracts/failed.http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQueuedText, aSubscriber, asAdmin, asService } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { breakOffsToPark, noteError } from './break-offs.repository.ts';
import { claimText } from './claims.repository.ts';
import { freeClaimed } from './results.ts';
import { keyOf } from './text-ids.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** An attempt whose worker threw before anything was sent, with an expired lease. */
async function breakOff(id: string): Promise<void> {
  const now = harness.clock.now();
  await claimText(harness.db, id, {
    token: randomUUID(),
    leaseUntil: new Date(Date.now() - 1),
    now,
    isProbe: false,
  });
  await noteError(harness.db, keyOf(id), new Error('no table for +14155550170'), now);
  await freeClaimed(harness.db, { now, wall: new Date() });
}
async function breakOffOften(id: string): Promise<void> {
  for (let times = 0; times < breakOffsToPark; times += 1) await breakOff(id);
}
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
    for (let times = 1; times < breakOffsToPark; times += 1) await breakOff(id);
    expect(await parked()).toEqual([]);
    await breakOff(id);
    expect(await harness.send(id)).toBe('not_mine');
    expect(await parked()).toMatchObject([
      { id: `text.${id}`, type: 'daily', tries: breakOffsToPark, user_id: recipient.user_id },
    ]);
    expect((await parked())[0]?.error).toBe('no table for [number]');
    const answers = await Promise.all([end(id, 'replay'), end(id, 'replay')]);
    expect(answers.map((one) => one.json())).toEqual(
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
    await breakOffOften(id);
    expect((await end(id, 'discard')).json()).toMatchObject({ outcome: 'discarded' });
    expect((await end(id, 'replay')).statusCode).toBe(409);
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    const settled = await harness.published<{ dispatch_id: string }>('sms.text.settled');
    expect(settled.filter((one) => one.dispatch_id === id)).toMatchObject([
      { outcome: 'skipped', reason: 'discarded' },
    ]);
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
    const answer = await harness.call({
      method: 'POST',
      url: `/admin/parked/sms-gateway/event.${id}/replay`,
      as: asAdmin('operator'),
    });
    expect(answer.json()).toEqual({ outcome: 'replayed', error: null });
    const kept = await harness.db
      .selectFrom('recipients')
      .select(['version', 'first_name'])
      .where('user_id', '=', facts.user_id)
      .executeTakeFirst();
    expect(kept).toEqual({ version: 3, first_name: 'New' });
  });
});
