import { randomUUID } from 'node:crypto';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSubscriber, provenPhone, setUser } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { inboxCalls } from '../../test/inbox-calls.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
const { reply, read, act, answer, detailOf, conversationsOf, write, audited } = inboxCalls(
  () => harness,
);

describe('POST /admin/inbox/:id/answer', () => {
  it('by email sends one mail per key, in the existing thread', async () => {
    const user = await aSubscriber(harness);
    const id = await write(user, 'No text', 'Nothing came.\nWhy?');
    const key = randomUUID();
    const twice = await Promise.all([1, 2].map(() => answer(id, 'email', 'Sorry!', key)));
    expect(twice.map((one) => one.statusCode)).toEqual([200, 200]);
    harness.clock.advance({ minutes: 5 });
    await answer(id, 'email', "It's fixed now.");
    const mails = (await harness.mails(user.email)).filter((one) => one.key.startsWith('answer:'));
    expect(mails.map((one) => one.subject)).toEqual(['Re: No text', 'Re: No text']);
    expect(mails[0]?.text).toBe('Sorry!\n\nDaylift support\n\nYou wrote:\n> Nothing came.\n> Why?');
    const rows = await harness.deps.db
      .selectFrom('mails')
      .select(['reply_to', 'thread'])
      .where('to_address', '=', user.email)
      .where('key', 'like', 'answer:%')
      .orderBy('created_at')
      .execute();
    expect(rows).toEqual([
      { reply_to: 'support@daylift.test', thread: [`letter:${id}`] },
      { reply_to: 'support@daylift.test', thread: [`letter:${id}`, `answer:${key}`] },
    ]);
    const { answers, answered_at } = await read(id);
    expect(answers).toMatchObject([
      { by: 'email', text: 'Sorry!', admin: 'someone', status: 'queued' },
      { by: 'email', text: "It's fixed now." },
    ]);
    expect(answered_at).toBe(harness.clock.now().toISOString());
    expect(await audited(id)).toEqual(['someone letter.answered', 'someone letter.answered']);
  });

  it('by text reaches sms-gateway once per key, with a deadline before quiet hours', async () => {
    const user = await aSubscriber(harness);
    const id = await write(user);
    // 19:30 in Chicago.
    harness.clock.set('2027-03-07T01:30:00Z');
    const key = randomUUID();
    await Promise.all([1, 2, 3].map(() => answer(id, 'text', 'It comes at nine.', key)));
    const published = (await publishedEvents(harness.deps.db, 'accounts.answer.written'))
      .map((one) => one.data)
      .filter((one) => (one as { answer_id: string }).answer_id === key);
    expect(published).toEqual([
      {
        answer_id: key,
        user_id: user.id,
        content: 'It comes at nine.',
        closes_at: '2027-03-07T03:00:00.000Z',
        at: '2027-03-07T01:30:00.000Z',
      },
    ]);
    harness.parts.smsGateway = async () => [{ id: key, status: 'delivered' }];
    expect((await read(id)).answers).toMatchObject([{ by: 'text', status: 'delivered' }]);
    harness.parts.smsGateway = async () => {
      throw new Error('silent');
    };
    expect((await read(id)).answers).toMatchObject([{ by: 'text', status: 'unknown' }]);
  });

  it("by text is allowed in quiet hours only within an hour of the subscriber's text, and expires then", async () => {
    const user = await aSubscriber(harness);
    const id = await write(user);
    harness.clock.set('2027-03-07T05:15:00Z');
    const rejected = await answer(id, 'text');
    expect([rejected.statusCode, detailOf(rejected)]).toEqual([
      409,
      "It's 11:15 PM in their time zone. Texts can go out from 8 AM to 9 PM, or within an hour of their last text.",
    ]);
    expect((await read(id)).refusals).toEqual({ email: null, text: detailOf(rejected) });
    await reply(user, 'Still awake');
    expect((await read(id)).refusals.text).toBeNull();
    const key = randomUUID();
    expect((await answer(id, 'text', 'Good night.', key)).statusCode).toBe(200);
    const published = (await publishedEvents(harness.deps.db, 'accounts.answer.written')).map(
      (one) => one.data as { answer_id: string; closes_at: string },
    );
    expect(published.find((one) => one.answer_id === key)?.closes_at).toBe(
      '2027-03-07T06:15:00.000Z',
    );
    harness.clock.set('2027-03-07T06:16:00Z');
    expect((await answer(id, 'text')).statusCode).toBe(409);
  });

  it("by text isn't possible after STOP or without consent", async () => {
    const stopped = await aSubscriber(harness);
    await setUser(harness, stopped.id, { opted_out: true, opted_out_at: harness.clock.now() });
    const id = await write(stopped);
    expect(detailOf(await answer(id, 'text'))).toContain('They replied STOP');
    const silent = await aSubscriber(harness, { sms_consent: false });
    const other = await write(silent);
    expect(detailOf(await answer(other, 'text'))).toContain("haven't agreed");
    expect((await answer(other, 'email')).statusCode).toBe(200);
  });

  it('says so if other words with the same key were sent already, and sends nothing', async () => {
    const user = await aSubscriber(harness);
    const id = await write(user);
    const key = randomUUID();
    await answer(id, 'email', 'We refund it.', key);
    const edited = await answer(id, 'email', 'We refund half of it.', key);
    expect([edited.statusCode, detailOf(edited)]).toEqual([
      409,
      'An earlier version of this reply was already sent. Read it above before you send another.',
    ]);
    expect((await answer(id, 'text', 'We refund it.', key)).statusCode).toBe(409);
    expect((await read(id)).answers).toMatchObject([{ text: 'We refund it.' }]);
  });

  it('rejects empty and overlong replies, closed conversations, and keys of other conversations', async () => {
    const user = await aSubscriber(harness);
    const id = await write(user);
    expect((await answer(id, 'email', '   ')).statusCode).toBe(400);
    expect((await answer(id, 'email', 'x'.repeat(4_001))).statusCode).toBe(400);
    expect(detailOf(await answer(id, 'text', 'x'.repeat(641)))).toContain('640 characters');
    expect((await answer(randomUUID(), 'email')).statusCode).toBe(404);
    const key = randomUUID();
    await answer(id, 'email', 'Hello', key);
    const other = await write(user, 'Another');
    expect((await answer(other, 'email', 'Hello', key)).statusCode).toBe(409);
    await act(id, 'close');
    expect(detailOf(await answer(id, 'email'))).toContain('closed');
    await act(id, 'close');
    await act(id, 'reopen');
    await act(id, 'reopen');
    expect((await answer(id, 'email')).statusCode).toBe(200);
    expect(await audited(id)).toEqual([
      'someone letter.answered',
      'someone letter.closed',
      'someone letter.reopened',
      'someone letter.answered',
    ]);
    expect((await read(id)).others.map((one) => one.subject)).toEqual(['Another']);
  });
});

describe('A text from an unproven number', () => {
  const refusal = expect.stringMatching(/hasn't confirmed the number.*Reply by text\.$/);
  const expectNoEmail = async (id: string, email: string) => {
    expect((await read(id)).refusals).toEqual({ email: refusal, text: null });
    const rejected = await answer(id, 'email');
    expect([rejected.statusCode, detailOf(rejected)]).toEqual([409, refusal]);
    expect((await harness.mails(email)).filter((one) => one.key.startsWith('answer:'))).toEqual([]);
    expect((await answer(id, 'text')).statusCode).toBe(200);
  };

  it("isn't answered by email, and its copy names no one to reply to, until it's proven", async () => {
    // Others' replies count toward the hour's emails.
    harness.clock.advance({ hours: 2 });
    const user = await aSubscriber(harness);
    await reply(user, 'This is Jane Doe, 12 Elm St, who are you?', { needs_review: true });
    const id = (await conversationsOf(user.id))[0]?.id ?? '';
    const copy = await harness.deps.db
      .selectFrom('mails')
      .select(['reply_to', 'text'])
      .where('key', '=', `letter:${id}`)
      .executeTakeFirstOrThrow();
    expect(copy.reply_to).toBeNull();
    expect(copy.text).not.toContain(user.email);
    await expectNoEmail(id, user.email);
    await setUser(harness, user.id, provenPhone());
    expect((await answer(id, 'email')).statusCode).toBe(200);
  });

  it("isn't answered by email while the number can't be reached, unlike earlier texts", async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    await reply(user, 'Thank you!');
    const own = (await conversationsOf(user.id))[0]?.id ?? '';
    await act(own, 'close');
    await setUser(harness, user.id, {
      ...{ unreachable: 'disconnected', unreachable_since: harness.clock.now() },
    });
    await act(own, 'reopen');
    expect((await answer(own, 'email')).statusCode).toBe(200);
    await reply(user, 'Who are you?');
    expect((await read(own)).refusals.email).toEqual(refusal);
  });

  it("isn't quoted by email after the account proves another number", async () => {
    const user = await aSubscriber(harness);
    await reply(user, 'Who are you?');
    const id = (await conversationsOf(user.id))[0]?.id ?? '';
    await setUser(harness, user.id, { ...provenPhone(), phone: '+14155550998' });
    await expectNoEmail(id, user.email);
    await reply({ id: null, phone: user.phone }, 'Hello from its holder?');
    expect((await read(id)).letters).toHaveLength(1);
  });

  it("isn't answered by email in a conversation that a form started either", async () => {
    const user = await aSubscriber(harness);
    const id = await write(user);
    expect((await answer(id, 'text')).statusCode).toBe(200);
    await reply(user, 'Who are you?');
    expect((await read(id)).letters).toHaveLength(2);
    await expectNoEmail(id, user.email);
  });
});
