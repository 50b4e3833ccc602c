import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { AnswerTexts, InboundReply } from '@daylift/contracts/inbox.http';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aNumber, aSubscriber, asAdmin, asService, recipientFacts } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

interface Pointer {
  inbound_id: string;
  user_id: string | null;
  needs_review: boolean;
}
const storedTexts = (from: string) =>
  harness.db.selectFrom('inbound_texts').selectAll().where('from_number', '=', from).execute();
async function reply(from: string, text: string): Promise<void> {
  const before = (await storedTexts(from)).length;
  await harness.sandbox.reply(from, text);
  await eventually(async () => (await storedTexts(from)).length > before, { what: 'the reply' });
}
const pointersFrom = async (from: string): Promise<Pointer[]> => {
  const ids = (await storedTexts(from)).map(({ id }) => id);
  const all = await harness.published<Pointer>('sms.reply.received');
  return all.filter(({ inbound_id }) => ids.includes(inbound_id));
};
const fetchReply = (id: string) =>
  harness.call({ url: `/internal/inbound/${encodeURIComponent(id)}`, as: asService });

describe('A reply for the inbox', () => {
  it('is published without content and number, which are fetched', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, 'Thanks, this made my day');
    await reply(phone, 'please stop texting me');
    const pointers = await pointersFrom(phone);
    expect(pointers).toMatchObject([
      { user_id, needs_review: false },
      { user_id, needs_review: true },
    ]);
    expect(JSON.stringify(pointers)).not.toMatch(/Thanks|stop/);
    expect(JSON.stringify(pointers)).not.toContain(phone.slice(1));
    const response = await fetchReply(pointers[0]?.inbound_id ?? '');
    expect(response.json<InboundReply>()).toEqual({
      content: 'Thanks, this made my day',
      from_number: phone,
    });
    expect((await fetchReply('nothing')).statusCode).toBe(404);
    const url = `/internal/inbound/${pointers[0]?.inbound_id}`;
    expect((await harness.call({ url, as: asAdmin('owner') })).statusCode).toBe(403);
  });

  it('excludes commands', async () => {
    const { phone } = await aSubscriber(harness);
    for (const text of ['HELP', '7AM', 'STOP', 'START']) await reply(phone, text);
    expect(await pointersFrom(phone)).toEqual([]);
  });

  it('also comes from strangers, with a limit', async () => {
    const phone = aNumber();
    for (let count = 1; count <= 7; count += 1) await reply(phone, `Hello ${count}`);
    expect(await storedTexts(phone)).toHaveLength(7);
    expect(await pointersFrom(phone)).toHaveLength(5);
    expect((await pointersFrom(phone)).every((one) => one.user_id === null)).toBe(true);
  });

  it('is erased with its sender, even if sent before the number was linked', async () => {
    const phone = aNumber();
    await reply(phone, 'Who are you?');
    const facts = await aSubscriber(harness, { phone });
    await reply(phone, 'Now I know');
    const ids = (await pointersFrom(phone)).map((one) => one.inbound_id);
    await harness.receive('accounts.user.deleted', { user_id: facts.user_id });
    const erased = await harness.published<{ inbound_ids: string[] }>('sms.replies.erased');
    expect(erased.at(-1)?.inbound_ids.toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect((await fetchReply(id)).statusCode).toBe(404);
  });
});

describe("An admin's reply by text", () => {
  const answerTo = (user_id: string, change: Record<string, unknown> = {}) => {
    const now = harness.clock.now();
    return {
      answer_id: randomUUID(),
      user_id,
      content: 'It comes at nine.',
      closes_at: new Date(now.getTime() + hourMs).toISOString(),
      at: now.toISOString(),
      ...change,
    };
  };
  const statusOf = async (id: string) =>
    (await harness.call({ url: `/internal/answers?ids=${id}`, as: asService })).json<AnswerTexts>();

  it('is sent once, outside of the daily limit, and reports its status', async () => {
    const { user_id, phone } = await aSubscriber(harness);
    const answer = answerTo(user_id);
    for (const _ of [1, 2]) await harness.receive('accounts.answer.written', answer);
    expect(await statusOf(answer.answer_id)).toEqual([{ id: answer.answer_id, status: 'queued' }]);
    await harness.sendAllDue();
    const texts = await harness.sandbox.texts(phone);
    expect(texts.map(({ text }) => text)).toEqual(['It comes at nine.']);
    expect((await harness.textsOf(user_id)).map(({ kind }) => kind)).toEqual(['answer']);
    await eventually(async () => (await statusOf(answer.answer_id))[0]?.status === 'delivered');
    const settled = await harness.settled();
    expect(settled.filter((one) => one.user_id === user_id)).toEqual([]);
  });

  it("isn't sent after STOP, without consent or after deletion", async () => {
    const stopped = await aSubscriber(harness);
    const pending = recipientFacts({ consent: 'pending' });
    await harness.receive('accounts.recipient.changed', pending);
    const deleted = await aSubscriber(harness);
    for (const { user_id } of [stopped, pending, deleted])
      await harness.receive('accounts.answer.written', answerTo(user_id));
    await reply(stopped.phone, 'STOP');
    await harness.receive('accounts.user.deleted', { user_id: deleted.user_id });
    await harness.receive('accounts.answer.written', answerTo(deleted.user_id));
    await harness.sendAllDue();
    for (const { phone } of [stopped, pending, deleted])
      expect(await harness.sandbox.texts(phone)).toEqual([]);
    const left = await harness.textsOf(deleted.user_id);
    expect(left.map(({ content }) => content)).toEqual(['']);
  });

  it('goes to the test number in testing mode', async () => {
    const { user_id, phone } = await aSubscriber(harness);
    const test_phone = aNumber();
    await harness.db
      .updateTable('testing_mode')
      .set({ enabled: true, test_phone, revision: 100 })
      .execute();
    await harness.receive('accounts.answer.written', answerTo(user_id));
    await harness.sendAllDue();
    await harness.db.updateTable('testing_mode').set({ enabled: false, revision: 101 }).execute();
    expect(await harness.sandbox.texts(phone)).toEqual([]);
    expect(await harness.sandbox.texts(test_phone)).toMatchObject([
      { text: '[Test] It comes at nine.' },
    ]);
  });

  it('expires when quiet hours start', async () => {
    const { user_id, phone } = await aSubscriber(harness);
    const closes_at = harness.clock.now().toISOString();
    const answer = answerTo(user_id, { closes_at });
    await harness.receive('accounts.answer.written', answer);
    await harness.sendAllDue();
    expect(await harness.sandbox.texts(phone)).toEqual([]);
    expect(await statusOf(answer.answer_id)).toMatchObject([{ status: 'failed' }]);
  });
});
