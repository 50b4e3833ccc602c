import { randomUUID } from 'node:crypto';
import type { OptOut, TextsPart } from '@daylift/contracts/timeline-parts.http';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aDispatch,
  aSubscriber,
  asAdmin,
  asService,
  asUser,
  pastTexts,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const span = 'from=2027-03-09T05:00:00Z&until=2027-03-10T05:00:00Z';
async function readInternal<T>(path: string): Promise<T> {
  const response = await harness.call({ url: `/internal/${path}`, as: asService });
  expect(response.statusCode).toBe(200);
  return response.json<T>();
}
const timelineOf = (id: string, query = 'kinds=texts,decisions,replies') =>
  readInternal<TextsPart>(`timeline/${id}?${query}`);

it('shows the full course of a text: due, released, and each receipt', async () => {
  const { user_id, ...me } = await aSubscriber(harness);
  const dispatch = aDispatch({ user_id, ...me }, harness, {
    due_at: '2027-03-09T14:59:00.000Z',
  });
  await release(harness, [dispatch], { name: 'Daily texts of nine' });
  await harness.send(dispatch.dispatch_id);
  await harness.reaches(dispatch.dispatch_id, 'delivered');
  // Receipts can arrive in reverse order: the state is final while an earlier one is in flight.
  const [text, ...more] = await eventually(async () => {
    const { texts } = await timelineOf(user_id);
    return texts[0]?.receipts.length === 2 && texts;
  });
  expect(more).toEqual([]);
  expect(text).toMatchObject({
    id: dispatch.dispatch_id,
    kind: 'daily',
    state: 'delivered',
    content: 'Good morning, Ada! Breathe.',
    due_at: '2027-03-09T14:59:00.000Z',
    queued_at: expect.any(String),
    handed_at: expect.any(String),
    finalized_at: expect.any(String),
    batch: { name: 'Daily texts of nine', kind: 'scheduled' },
    attempts: 1,
  });
  expect(new Set(text?.receipts.map((one) => one.status))).toEqual(new Set(['sent', 'delivered']));
});

it('separates decisions from texts, with reasons, and finds a single day', async () => {
  const me = await aSubscriber(harness, { paused_until: '2027-04-01' });
  const dispatch = aDispatch(me, harness);
  await release(harness, [dispatch]);
  await harness.send(dispatch.dispatch_id);
  await pastTexts(harness.db, me.user_id, [{ local_date: '2027-03-05' }]);
  const states = async (kinds: string) =>
    (await timelineOf(me.user_id, `kinds=${kinds}`)).texts.map((one) => [one.state, one.reason]);
  expect(await states('decisions')).toEqual([['skipped', 'paused']]);
  expect(await states('texts')).toEqual([['delivered', null]]);
  expect(await states('replies')).toEqual([]);
  const day = await readInternal<TextsPart>(`days/${me.user_id}/2027-03-05?${span}`);
  expect(day.texts.map((one) => one.local_date)).toEqual(['2027-03-05']);
});

it('shows replies, their interpretation, and the last opt-out state', async () => {
  const me = await aSubscriber(harness);
  const other = await aSubscriber(harness);
  await harness.sandbox.reply(other.phone, 'Not mine');
  await harness.sandbox.reply(me.phone, 'Lovely words today');
  await harness.sandbox.reply(me.phone, 'STOP');
  await eventually(async () => (await harness.published('sms.recipient.opted_out')).length > 0);
  const { replies } = await eventually(async () => {
    const found = await timelineOf(me.user_id);
    return found.replies.length === 2 ? found : undefined;
  });
  expect(replies.map((one) => [one.content, one.meaning]).sort()).toEqual([
    ['Lovely words today', 'other'],
    ['STOP', 'stop'],
  ]);
  const day = await readInternal<TextsPart>(`days/${me.user_id}/2027-03-09?${span}`);
  expect(day.replies).toHaveLength(2);
  const last = async (id: string) => (await readInternal<OptOut>(`opt-out/${id}`)).last;
  expect(await last(me.user_id)).toMatchObject({ opted_out: true, source: 'keyword' });
  expect(await last(other.user_id)).toBeNull();
});

it('pages back through the months in order', async () => {
  const id = randomUUID();
  const first = Temporal.PlainDate.from('2026-03-01');
  const dates = Array.from({ length: 370 }, (_, index) => first.add({ days: index }).toString());
  await pastTexts(
    harness.db,
    id,
    dates.map((local_date) => ({ local_date })),
  );
  const page = async (query: string) =>
    (await timelineOf(id, `kinds=texts&${query}`)).texts.map((one) => one.local_date);
  expect(await page('limit=90')).toEqual(dates.toReversed().slice(0, 90));
  const until = '2026-09-15T14:00:00Z';
  const earlier = dates.filter((date) => date <= '2026-09-15').toReversed();
  expect(await page(`limit=60&until=${until}`)).toEqual(earlier.slice(0, 60));
  expect(await page('limit=300&until=2026-03-03T23:00:00Z')).toEqual(
    dates.slice(0, 3).toReversed(),
  );
});

it.each(['timeline/:id?kinds=texts', `days/:id/2027-03-09?${span}`, 'opt-out/:id'])(
  '/internal/%s is for our services only',
  async (path) => {
    const url = `/internal/${path.replace(':id', randomUUID())}`;
    expect((await harness.call({ url })).statusCode).toBe(401);
    for (const as of [asUser(randomUUID()), asAdmin('owner')])
      expect((await harness.call({ url, as })).statusCode).toBe(403);
  },
);
