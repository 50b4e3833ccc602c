import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDispatch, aNumber, aQueuedText, aSubscriber, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import type { SmsDeps } from '../deps.ts';
import type { OutgoingText } from '../provider/provider.ts';
import { sendTexts } from './send-texts.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const some = (count: number) =>
  Promise.all(Array.from({ length: count }, () => aQueuedText(harness)));
const idsOf = (texts: { id: string }[]) => texts.map(({ id }) => id);
const sent = async ({ recipient }: { recipient: { phone: string } }) =>
  (await harness.sandbox.texts(recipient.phone)).length;
const settledIn = async (texts: { id: string }[]) => {
  const ids = new Set(idsOf(texts));
  return (
    await harness.published<{ results: { dispatch_id: string; outcome: string }[] }>(
      'sms.texts.settled',
    )
  )
    .map(({ results }) => results.filter(({ dispatch_id }) => ids.has(dispatch_id)))
    .filter((results) => results.length > 0);
};

/** Deps whose limiter runs `meanwhile` between the decision and the mark. */
function whileWaiting(meanwhile: () => Promise<unknown>): SmsDeps {
  const { limiter } = harness.deps;
  let done: Promise<unknown> | undefined;
  return {
    ...harness.deps,
    limiter: {
      ...limiter,
      take: async (wanted, options) => {
        done ??= meanwhile();
        await done;
        return limiter.take(wanted, options);
      },
    },
  };
}

it('ten workers with the same group send each text once', async () => {
  const texts = await some(20);
  const results = await Promise.all(
    Array.from({ length: 10 }, () => sendTexts(harness.deps, idsOf(texts))),
  );
  expect(results.flat().filter((result) => result === 'accepted')).toHaveLength(20);
  for (const text of texts) expect(await sent(text)).toBe(1);
  expect((await settledIn(texts)).flat()).toHaveLength(20);
});

it('a group is marked and recorded in few transactions', async () => {
  const texts = await some(40);
  expect(new Set(await sendTexts(harness.deps, idsOf(texts)))).toEqual(new Set(['accepted']));
  expect((await settledIn(texts)).length).toBeLessThan(20);
  const marks = new Set(
    await Promise.all(texts.map(async ({ id }) => (await harness.text(id)).attempt_token)),
  );
  expect(marks.size).toBe(1);
});

it('a STOP, a pause and a new number between decision and mark take effect, and the others are sent', async () => {
  const [stopped, paused, moved, ...others] = await some(6);
  const phone = aNumber();
  const change = (recipient: object, version: number) =>
    harness.receive('accounts.recipient.changed', { ...recipient, version });
  const deps = whileWaiting(async () => {
    await harness.sandbox.reply(stopped!.recipient.phone, 'STOP');
    await eventually(async () =>
      (await harness.published<{ user_id: string }>('sms.recipient.opted_out')).some(
        ({ user_id }) => user_id === stopped!.recipient.user_id,
      ),
    );
    await change({ ...paused!.recipient, paused_until: '2027-03-12' }, 2);
    await change({ ...moved!.recipient, phone }, 2);
  });
  const results = await sendTexts(deps, idsOf([stopped!, paused!, moved!, ...others]));
  expect(results).toEqual(['ended', 'ended', 'accepted', 'accepted', 'accepted', 'accepted']);
  expect([await sent(stopped!), await sent(paused!), await sent(moved!)]).toEqual([0, 0, 0]);
  expect(await harness.sandbox.texts(phone)).toHaveLength(1);
  for (const other of others) expect(await sent(other)).toBe(1);
});

it('a second text for one day is rejected without holding up its group', async () => {
  const texts = await some(3);
  const { recipient, id } = texts[0]!;
  const second = aDispatch(recipient, harness, { generation: 2 });
  await release(harness, [second]);
  const results = await sendTexts(harness.deps, [...idsOf(texts), second.dispatch_id]);
  expect(results.filter((result) => result === 'accepted')).toHaveLength(3);
  const states = [await harness.text(id), await harness.text(second.dispatch_id)];
  expect(states.filter(({ reason }) => reason === 'day_used')).toHaveLength(1);
  expect(await sent(texts[0]!)).toBe(1);
});

it('only an outcome that the database rejects becomes unknown, and the others are recorded', async () => {
  const texts = await some(5);
  const provider = {
    ...harness.deps.provider,
    // Postgres can't store a NUL in a text.
    send: async (text: OutgoingText) =>
      text.id === texts[0]!.id
        ? ({ kind: 'refused', reason: 'bad\0reason', code: null } as const)
        : harness.deps.provider.send(text),
  };
  const results = await sendTexts({ ...harness.deps, provider }, idsOf(texts));
  expect(results).toEqual(['unknown', 'accepted', 'accepted', 'accepted', 'accepted']);
  expect(await harness.text(texts[0]!.id)).toMatchObject({ state: 'inflight' });
});

it('a subscriber not stored yet delays only their own text', async () => {
  const recipient = await aSubscriber(harness);
  await harness.db.deleteFrom('recipients').where('user_id', '=', recipient.user_id).execute();
  const dispatch = aDispatch(recipient, harness);
  await release(harness, [dispatch]);
  const texts = await some(2);
  const results = await sendTexts(harness.deps, [dispatch.dispatch_id, ...idsOf(texts)]);
  expect(results).toEqual(['waits', 'accepted', 'accepted']);
});
