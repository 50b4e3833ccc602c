import { hourMs } from '@daylift/clock/durations';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aDispatch, aSubscriber, asAdmin, asService, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { onTextsQueued } from '../texts/push-texts.ts';
import { sendTexts } from '../texts/send-texts.ts';
import { insertTexts } from '../texts/texts.repository.ts';
import { takeTextsToEnqueue } from './queue.repository.ts';

let harness: Harness;
let pushed: string[] = [];
let stop: () => void;
beforeAll(async () => {
  harness = await createHarness();
  stop = onTextsQueued((texts) => pushed.push(...texts.map(({ id }) => id)));
});
afterEach(() => {
  pushed = [];
});
afterAll(async () => {
  stop();
  await harness.close();
});

const enqueue = (wall: Date) =>
  takeTextsToEnqueue(harness.db, { now: harness.clock.now(), wall, again: true, limit: 100 });

it('gives due texts to the workers, the others later', async () => {
  const due = aDispatch(await aSubscriber(harness), harness);
  const later = aDispatch(await aSubscriber(harness), harness, {
    due_at: new Date(harness.clock.now().getTime() + hourMs).toISOString(),
  });
  await release(harness, [due, later]);
  expect(pushed).toEqual([due.dispatch_id]);
  expect((await harness.text(due.dispatch_id)).enqueued_at).not.toBeNull();
  expect((await harness.text(later.dispatch_id)).enqueued_at).toBeNull();
  await release(harness, [due]);
  expect(pushed).toEqual([due.dispatch_id]);
  await harness.sendAllDue();
});

it('enqueues a text again whose job was lost after the commit', async () => {
  const due = aDispatch(await aSubscriber(harness), harness);
  await release(harness, [due]);
  expect((await enqueue(new Date())).map(({ id }) => id)).toEqual([]);
  const later = new Date(Date.now() + 3_000);
  expect((await enqueue(later)).map(({ id }) => id)).toEqual([due.dispatch_id]);
  await harness.sendAllDue();
});

it("skips texts in a worker's line, and enqueues them again if it crashed", async () => {
  const [number, other] = ['+18885557201', '+18885557202'];
  const admin = adminCalls(harness);
  for (const one of [number, other])
    await admin.post('/admin/senders', {
      number: one,
      type: 'toll_free',
      country: 'US',
      per_second: 1,
    });
  const recipients = await Promise.all([1, 2, 3].map(() => aSubscriber(harness)));
  const users = recipients.map(({ user_id }) => user_id);
  await harness.db
    .updateTable('recipients')
    .set({ sender: number })
    .where('user_id', 'in', users)
    .execute();
  const due = recipients.map((one) => aDispatch(one, harness));
  await release(harness, due);
  const ids = due.map(({ dispatch_id }) => dispatch_id);
  const rest = Promise.withResolvers<void>();
  await sendTexts(harness.deps, ids, { continueLater: (later) => rest.resolve(later) });
  const inLine = await eventually(async () => {
    const texts = await Promise.all(ids.map((id) => harness.text(id)));
    const held = texts.filter((one) => one.enqueued_at! > new Date(Date.now() + 10_000));
    return held.length > 0 && held.map(({ id }) => id);
  });
  const taken = async (inMs: number) =>
    (await enqueue(new Date(Date.now() + inMs))).map(({ id }) => id);
  expect(await taken(5_000)).toEqual([]);
  expect(inLine).toEqual(expect.arrayContaining(await taken(25_000)));
  await rest.promise;
});

it('lists which of the given texts still wait to be sent', async () => {
  const due = aDispatch(await aSubscriber(harness), harness);
  await release(harness, [due]);
  const lost = `20270309-${'b'.repeat(32)}`;
  const url = `/internal/waiting-texts?ids=${due.dispatch_id},${lost},nonsense`;
  const waiting = async () => (await harness.call({ url, method: 'GET', as: asService })).json();
  expect(await waiting()).toEqual([due.dispatch_id]);
  await harness.sendAllDue();
  expect(await waiting()).toEqual([]);
});

it('gives the workers nothing that was rolled back', async () => {
  const now = harness.clock.now();
  const text = {
    id: `20270309-${'a'.repeat(32)}`,
    local_date: '2027-03-09',
    kind: 'help' as const,
    content: 'Help',
    windows: [],
    deadline_at: new Date(now.getTime() + hourMs),
    next_attempt_at: now,
    created_at: now,
  };
  const storing = harness.db.transaction().execute(async (trx) => {
    await insertTexts(trx, [text], { now, isPushed: true });
    throw new Error('rolled back');
  });
  await expect(storing).rejects.toThrow('rolled back');
  expect(pushed).toEqual([]);
});

it('gives nothing to the workers during a freeze', async () => {
  const post = (url: string) =>
    harness.call({
      method: 'POST',
      url,
      as: asAdmin('operator'),
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
  expect((await post('/admin/freeze')).statusCode).toBe(200);
  const due = aDispatch(await aSubscriber(harness), harness);
  await release(harness, [due]);
  expect(pushed).toEqual([]);
  expect((await harness.text(due.dispatch_id)).enqueued_at).toBeNull();
});
