import { randomUUID } from 'node:crypto';
import type { Conversation } from '@daylift/contracts/inbox.http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSubscriber, provenPhone, setUser } from '../../test/factories.ts';
import { asUser, createHarness, type Harness } from '../../test/harness.ts';
import { inboxCalls } from '../../test/inbox-calls.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
const { fetchReplies, reply, list, read, act, answer, conversationsOf, write } = inboxCalls(
  () => harness,
);

describe('A reply by text', () => {
  it('starts a conversation and is mailed to the support address', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    await reply(user, 'Could it be a bit later?');
    const [item, ...rest] = await conversationsOf(user.id);
    expect(rest).toEqual([]);
    expect(item).toMatchObject({
      kind: 'reply',
      state: 'open',
      name: user.name,
      phone: user.phone,
      preview: 'Could it be a bit later?',
      needs_review: false,
    });
    const message = (await read(item?.id ?? '')).letters[0];
    const mail = await harness.deps.db
      .selectFrom('mails')
      .selectAll()
      .where('key', '=', `letter:${message?.id}`)
      .executeTakeFirstOrThrow();
    expect(mail).toMatchObject({ to_address: 'support@daylift.test', reply_to: user.email });
    expect(mail.subject).toBe('[Text] Reply by text');
    expect(mail.text).toContain('Could it be a bit later?');
    expect(mail.text).not.toContain(user.phone);
  });

  it('is stored once, even if delivered twice', async () => {
    const user = await aSubscriber(harness);
    const id = await reply(user, 'Once');
    const at = harness.clock.now().toISOString();
    const repeated = { inbound_id: id, user_id: user.id, needs_review: false, at };
    await harness.receive('sms.reply.received', repeated);
    await fetchReplies();
    const [item] = await conversationsOf(user.id);
    expect((await read(item?.id ?? '')).letters).toHaveLength(1);
  });

  it("continues and reopens its sender's conversation", async () => {
    const user = await aSubscriber(harness);
    await reply(user, 'First');
    const [first] = await conversationsOf(user.id);
    const id = first?.id ?? '';
    expect((await act(id, 'close')).json<Conversation>()).toMatchObject({
      state: 'closed',
      closed_by: 'someone',
    });
    harness.clock.advance({ hours: 30 });
    await reply(user, 'please stop texting me', { needs_review: true });
    expect(await conversationsOf(user.id)).toMatchObject([
      { id, state: 'open', needs_review: true, preview: 'please stop texting me' },
    ]);
    expect((await read(id)).letters.map((one) => one.message)).toEqual([
      'First',
      'please stop texting me',
    ]);
    await act(id, 'close');
    harness.clock.advance({ hours: 24 * 9 });
    await reply(user, 'Hello again');
    expect(await conversationsOf(user.id)).toHaveLength(2);
  });

  it('from an autoresponder keeps only the latest of a thousand messages', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    await reply(user, 'Out of office 1000');
    const [item] = await conversationsOf(user.id);
    const id = item?.id ?? '';
    expect((await read(id)).has_earlier).toBe(false);
    const { db } = harness.deps;
    const first = await db
      .selectFrom('letters')
      .selectAll()
      .where('conversation_id', '=', id)
      .executeTakeFirstOrThrow();
    const { words: _made, ...columns } = first as typeof first & { words?: unknown };
    const more = Array.from({ length: 999 }, (_unused, index) => ({
      ...columns,
      id: randomUUID(),
      inbound_id: randomUUID(),
      message: `Out of office ${index + 1_001}`,
      created_at: new Date(columns.created_at.getTime() + (index + 1) * 1_000),
    }));
    await db.insertInto('letters').values(more).execute();
    const { letters, has_earlier } = await read(id);
    expect(has_earlier).toBe(true);
    expect(letters.map(({ message }) => message)).toEqual(
      Array.from({ length: 200 }, (_unused, index) => `Out of office ${index + 1_800}`),
    );
    expect((await answer(id, 'email', 'Welcome back!')).statusCode).toBe(200);
    const sent = await db
      .selectFrom('mails')
      .select(['text', 'thread'])
      .where('to_address', '=', user.email)
      .where('key', 'like', 'answer:%')
      .executeTakeFirstOrThrow();
    expect(sent.text).toContain('> Out of office 1999');
    const latest = more.slice(-49).map((one) => `letter:${one.id}`);
    expect(sent.thread).toEqual([`letter:${id}`, ...latest]);
  });

  it('from an unknown number has one conversation per number, marked as unknown', async () => {
    const stranger = { id: null, phone: '+14155550999' };
    await reply(stranger, 'Who is this?');
    harness.clock.advance({ minutes: 1 });
    await reply(stranger, 'Hello?');
    const { items } = await list('?kind=reply&search=who');
    expect(items).toMatchObject([
      { name: null, email: null, user_id: null, phone: stranger.phone, preview: 'Hello?' },
    ]);
    const id = items[0]?.id ?? '';
    expect((await read(id)).refusals).toEqual({
      email: 'They have no email address on file.',
      text: 'Only subscribers can be texted.',
    });
    for (const by of ['email', 'text'] as const)
      expect((await answer(id, by)).statusCode).toBe(409);
  });

  it('waits while sms-gateway is unavailable, and is dropped if its sender was deleted', async () => {
    const user = await aSubscriber(harness);
    harness.parts.smsGateway = async () => {
      throw new Error('silent');
    };
    const waitingId = await reply(user, 'Gone', { fetch: false });
    await expect(fetchReplies()).rejects.toThrow('silent');
    const waiting = () => harness.deps.db.selectFrom('replies_to_fetch').selectAll().execute();
    expect((await waiting()).map((one) => one.inbound_id)).toEqual([waitingId]);
    harness.parts.smsGateway = async () => null;
    await harness.deps.db
      .updateTable('replies_to_fetch')
      .set({ next_try_at: new Date(0) })
      .execute();
    await fetchReplies();
    expect(await waiting()).toEqual([]);
    expect(await conversationsOf(user.id)).toEqual([]);
  });
});

it('a message with signs of distress or STOP is flagged in the list and the conversation', async () => {
  const user = await aSubscriber(harness);
  await reply(user, 'I want to die');
  const [item] = await conversationsOf(user.id);
  expect(item?.flags).toEqual(['distress']);
  harness.clock.advance({ seconds: 1 });
  await reply(user, 'STPO');
  const [, newest] = (await read(item?.id ?? '')).letters;
  expect(newest?.flags).toEqual(['stop']);
});

describe('After a deletion', () => {
  const everything = async () => {
    const rows = await Promise.all(
      (['letters', 'conversations', 'answers', 'mails', 'replies_to_fetch', 'outbox'] as const).map(
        (table) => harness.deps.db.selectFrom(table).selectAll().execute(),
      ),
    );
    return JSON.stringify(rows);
  };

  it('no message, reply, mail or event of the person is left', async () => {
    const user = await aSubscriber(harness, { name: 'Zuleika Dobson' });
    await reply(user, 'Words of Zuleika');
    const id = await write(user, 'From Zuleika', 'Call Zuleika');
    await answer(id, 'email', 'Dear Zuleika');
    await answer(id, 'text', 'Hello Zuleika');
    await reply(user, 'Not fetched yet, Zuleika', { fetch: false });
    expect(await everything()).toContain('Zuleika');
    const deleted = await harness.call({
      method: 'POST',
      url: '/users/me/delete',
      as: asUser(user.id),
      body: { password: 'correct horse' },
    });
    expect(deleted.statusCode).toBe(200);
    await fetchReplies();
    const left = (await everything()).replaceAll(
      /"(subject|text|key|to_address)":"[^"]*deleted[^"]*"/g,
      '',
    );
    for (const trace of ['Words of', 'Call ', 'Dear ', 'Hello Zuleika', user.phone])
      expect(left).not.toContain(trace);
  });

  it('nothing of a stranger is left once their number is matched', async () => {
    const stranger = { id: null, phone: '+14155550888' };
    const fetched = await reply(stranger, 'Ottoline was here');
    const waiting = await reply(stranger, 'Ottoline again', { fetch: false });
    expect(await everything()).toContain('Ottoline');
    await harness.receive('sms.replies.erased', { inbound_ids: [fetched, waiting] });
    await fetchReplies();
    expect(await everything()).not.toMatch(/Ottoline|4155550888/);
  });
});
