import { randomUUID } from 'node:crypto';
import type { InboxPage } from '@daylift/contracts/inbox.http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asAdmin, createHarness, type Harness, testStart } from '../../test/harness.ts';
import { repliesLoop } from './replies.loop.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const support = 'support@daylift.test';
const subjects = async () => (await harness.mails(support)).map(({ subject }) => subject);
const countSingle = async () =>
  (await subjects()).filter((one) => one === '[Text] Reply by text').length;

/** Replies from unknown numbers, fetched from sms-gateway. */
async function receive(replies: { from_number: string; content: string }[]): Promise<void> {
  const byId = new Map(replies.map((one) => [randomUUID() as string, one]));
  harness.parts.smsGateway = async (path) => byId.get(path.split('/').at(-1) ?? '') ?? null;
  const at = harness.clock.now().toISOString();
  for (const inbound_id of byId.keys()) {
    const event = { inbound_id, user_id: null, needs_review: false, at };
    await harness.receive('sms.reply.received', event);
  }
  while ((await repliesLoop(harness.deps).run?.()) !== 0);
}
const from = (index: number) => `+1312555${String(7_000 + index)}`;

it('a number that keeps texting is emailed three times an hour, with one email for the rest', async () => {
  const words = ['one', 'two', 'three', 'four', 'five'];
  await receive(words.map((content) => ({ from_number: from(0), content })));
  expect((await subjects()).sort()).toEqual([
    '[Text] 2 more replies by text',
    ...Array(3).fill('[Text] Reply by text'),
  ]);
  const inbox = await harness.call({ url: '/admin/inbox?kind=reply', as: asAdmin('operator') });
  const [item] = inbox.json<InboxPage>().items;
  const read = await harness.call({ url: `/admin/inbox/${item?.id}`, as: asAdmin('operator') });
  expect(read.json<{ letters: unknown[] }>().letters).toHaveLength(words.length);
});

it('at most thirty emails an hour are sent, however many numbers text; one more reports the rest', async () => {
  harness.clock.set(testStart);
  harness.clock.advance({ hours: 2 });
  const before = await countSingle();
  await receive(
    Array.from({ length: 45 }, (_unused, index) => ({
      from_number: from(index + 1),
      content: 'Hello',
    })),
  );
  expect((await countSingle()) - before).toBe(30);
  expect((await subjects()).filter((one) => one.includes('15 more'))).toHaveLength(1);
  const summary = await harness.deps.db
    .selectFrom('mails')
    .select(['text', 'next_try_at'])
    .where('subject', 'like', '%15 more%')
    .executeTakeFirstOrThrow();
  expect(summary.text).toContain('https://admin.daylift.test/admin/dashboard?tab=inbox');
  // When the hour is over.
  expect(summary.next_try_at).toEqual(new Date('2027-03-06T18:00:00Z'));
  harness.clock.advance({ hours: 2 });
  await receive([{ from_number: from(1), content: 'Hello again' }]);
  expect((await countSingle()) - before).toBe(31);
});
