import { randomUUID } from 'node:crypto';
import type { SupportThreads } from '@daylift/contracts/inbox.http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSubscriber, provenEmail, provenPhone, setUser } from '../../test/factories.ts';
import { asUser, createHarness, type Harness } from '../../test/harness.ts';
import { inboxCalls } from '../../test/inbox-calls.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
const { reply, act, answer, write } = inboxCalls(() => harness);

const readOwn = (userId: string, query = '') =>
  harness.call({ url: `/users/me/support-messages${query}`, as: asUser(userId) });
const threads = async (userId: string, query = '') =>
  (await readOwn(userId, query)).json<SupportThreads>();
const later = () => harness.clock.advance({ minutes: 5 });
const answerMails = async (email: string) =>
  (await harness.mails(email)).filter((one) => one.key.startsWith('answer:'));

describe('GET /users/me/support-messages', () => {
  it('shows messages and replies by email and text, newest first, with their status', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    const first = await write(user, 'Two texts', 'Can I get two texts?');
    later();
    await answer(first, 'email', 'One text a day for now.');
    later();
    await answer(first, 'text', 'Sorry!');
    later();
    await reply(user, 'A pity');
    later();
    const second = await write(user, 'My card', 'It expired.');
    await act(second, 'close');
    later();
    const third = await write(user, 'My name', 'It changed.');
    const { threads: shown, more } = await threads(user.id);
    expect(more).toBe(false);
    expect(shown.map(({ id, status }) => [id, status])).toEqual([
      [third, 'waiting'],
      [second, 'closed'],
      [first, 'waiting'],
    ]);
    expect(shown[2]).toEqual({
      id: first,
      subject: 'Two texts',
      status: 'waiting',
      messages: [
        { sender: 'you', by: 'text', text: 'A pity' },
        { sender: 'support', by: 'text', text: 'Sorry!' },
        { sender: 'support', by: 'email', text: 'One text a day for now.' },
        { sender: 'you', by: 'form', text: 'Can I get two texts?' },
      ].map((one) => expect.objectContaining(one)),
      has_earlier: false,
    });
    for (const message of shown[2]?.messages ?? [])
      expect(Object.keys(message).sort()).toEqual(['by', 'created_at', 'id', 'sender', 'text']);
    await answer(first, 'email', 'Indeed.');
    expect((await threads(user.id)).threads[2]?.status).toBe('answered');
  });

  it("pages through all of a subscriber's conversations, and never shows another's", async () => {
    const [me, other] = [await aSubscriber(harness), await aSubscriber(harness)];
    const ids: string[] = [];
    for (const subject of ['One', 'Two', 'Three', 'Four', 'Five']) {
      ids.unshift(await write(me, subject));
      later();
    }
    const others = await write(other, 'Mine');
    const first = await threads(me.id, '?limit=2');
    expect([first.threads.map(({ id }) => id), first.more]).toEqual([ids.slice(0, 2), true]);
    const rest = await threads(me.id, `?limit=3&before=${ids[1]}`);
    expect([rest.threads.map(({ id }) => id), rest.more]).toEqual([ids.slice(2), false]);
    expect((await threads(me.id, `?before=${others}`)).threads).toEqual([]);
    expect((await threads(me.id, `?before=${randomUUID()}`)).threads).toEqual([]);
    expect((await threads(other.id)).threads.map(({ id }) => id)).toEqual([others]);
    for (const query of ['?limit=0', '?limit=51', '?before=x'])
      expect((await readOwn(me.id, query)).statusCode).toBe(400);
    expect((await harness.call({ url: '/users/me/support-messages' })).statusCode).toBe(401);
  });

  it('hides texts from a number that the account never proved, and later replies', async () => {
    const user = await aSubscriber(harness);
    await reply(user, 'Who is this?');
    expect((await threads(user.id)).threads).toEqual([]);
    const id = await write(user);
    later();
    await answer(id, 'text', 'We look into it.');
    later();
    await reply(user, 'I am the real owner of this number');
    later();
    await answer(id, 'text', 'Sorry to hear that you are the owner.');
    const { threads: shown } = await threads(user.id);
    expect(shown).toMatchObject([{ id, status: 'answered' }]);
    expect(shown[0]?.messages.map(({ text }) => text)).toEqual([
      'We look into it.',
      'Nothing came today.',
    ]);
  });

  it('hides texts that came after the number stopped receiving ours', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    await setUser(harness, user.id, {
      ...{ unreachable: 'disconnected', unreachable_since: harness.clock.now() },
    });
    await reply(user, 'New phone, who is this?');
    expect((await threads(user.id)).threads).toEqual([]);
  });

  it('lists the latest thirty messages of a conversation', async () => {
    const user = await aSubscriber(harness);
    const id = await write(user);
    const numbers = Array.from({ length: 31 }, (_unused, index) => `Reply ${index}`);
    for (const text of numbers) {
      later();
      await answer(id, 'email', text);
    }
    const [thread] = (await threads(user.id)).threads;
    expect(thread?.has_earlier).toBe(true);
    expect(thread?.messages.map(({ text }) => text)).toEqual(numbers.toReversed().slice(0, 30));
  });

  it('is empty once the account is deleted', async () => {
    const user = await aSubscriber(harness);
    await write(user);
    const body = { password: 'correct horse' };
    const url = '/users/me/delete';
    await harness.call({ method: 'POST', url, as: asUser(user.id), body });
    expect((await threads(user.id)).threads).toEqual([]);
  });
});

describe('The email with a reply', () => {
  it('greets the person at a confirmed address, and links to all messages', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenEmail());
    const id = await write(user, 'No text', 'Why?');
    await answer(id, 'email', 'Sorry!');
    later();
    await answer(id, 'email', 'Hi Ada, one more thing.');
    const mails = await answerMails(user.email);
    expect(mails[0]?.text).toBe(
      [
        'Hi Ada,',
        'Sorry!',
        'Daylift support',
        'All your messages: https://daylift.test/dashboard?tab=support',
        'You wrote:\n> Why?',
      ].join('\n\n'),
    );
    expect(mails[1]?.text).toMatch(/^Hi Ada, one more thing\.\n\nDaylift support/);
  });

  it('names no one at an unconfirmed address', async () => {
    const user = await aSubscriber(harness);
    await answer(await write(user), 'email', 'Sorry!');
    const [mail] = await answerMails(user.email);
    expect(mail?.text).toMatch(/^Sorry!\n\nDaylift support\n\nYou wrote:/);
  });
});
