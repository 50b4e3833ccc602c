import { randomUUID } from 'node:crypto';
import type { AnswerBy, Conversation, InboxPage } from '@daylift/contracts/inbox.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anAdmin, aSubscriber, provenPhone, setUser } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';
import { repliesLoop } from './replies.loop.ts';

let harness: Harness;
/** Replies stored by sms-gateway, by id. */
let replies: Map<string, { content: string; from_number: string }>;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.clock.set(testStart);
  replies = new Map();
  harness.parts.smsGateway = async (path) => {
    const id = path.split('/internal/inbound/')[1];
    return id === undefined ? [] : (replies.get(id) ?? null);
  };
});

const fetchReplies = async () => repliesLoop(harness.deps).run?.();
/** A text reply as published by sms-gateway, with its content fetched. */
async function reply(
  from: { id: string | null; phone: string },
  content: string,
  { needs_review = false, fetch = true } = {},
): Promise<string> {
  const inbound_id = randomUUID();
  replies.set(inbound_id, { content, from_number: from.phone });
  const at = harness.clock.now().toISOString();
  const event = { inbound_id, user_id: from.id, needs_review, at };
  await harness.receive('sms.reply.received', event);
  if (fetch) await fetchReplies();
  return inbound_id;
}
const list = async (query = '', role: 'viewer' | 'operator' = 'operator') =>
  (await harness.call({ url: `/admin/inbox${query}`, as: asAdmin(role) })).json<InboxPage>();
const read = async (id: string, role: 'viewer' | 'operator' = 'operator') =>
  (await harness.call({ url: `/admin/inbox/${id}`, as: asAdmin(role) })).json<Conversation>();
const act = (id: string, what: 'close' | 'reopen') =>
  harness.call({ method: 'POST', url: `/admin/inbox/${id}/${what}`, as: asAdmin('operator') });
const answer = (id: string, by: AnswerBy, text = 'We look into it.', key: string = randomUUID()) =>
  harness.call({
    method: 'POST',
    url: `/admin/inbox/${id}/answer`,
    as: asAdmin('operator'),
    body: { by, text, idempotency_key: key },
  });
const detailOf = (one: { json<T>(): T }) => one.json<{ detail: string }>().detail;
const conversationsOf = async (user_id: string) =>
  (await list('?limit=100')).items.filter((one) => one.user_id === user_id);
async function write(user: { id: string }, subject = 'No text', message = 'Nothing came today.') {
  const body = { subject, message };
  await harness.call({ method: 'POST', url: '/support/contact', as: asUser(user.id), body });
  return (await conversationsOf(user.id)).find((one) => one.subject === subject)?.id ?? '';
}
const audited = async (target: string) =>
  (
    await harness.deps.db
      .selectFrom('audit_log')
      .select(['action', 'actor_username'])
      .where('target', '=', target)
      .orderBy('position')
      .execute()
  ).map((one) => `${one.actor_username} ${one.action}`);

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
    const letter = (await read(item?.id ?? '')).letters[0];
    const mail = await harness.deps.db
      .selectFrom('mails')
      .selectAll()
      .where('key', '=', `letter:${letter?.id}`)
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
    const again = { inbound_id: id, user_id: user.id, needs_review: false, at };
    await harness.receive('sms.reply.received', again);
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
    const { words: _made, ...letter } = first as typeof first & { words?: unknown };
    const more = Array.from({ length: 999 }, (_unused, index) => ({
      ...letter,
      id: randomUUID(),
      inbound_id: randomUUID(),
      message: `Out of office ${index + 1_001}`,
      created_at: new Date(letter.created_at.getTime() + (index + 1) * 1_000),
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
    const gone = await reply(user, 'Gone', { fetch: false });
    await expect(fetchReplies()).rejects.toThrow('silent');
    const waiting = () => harness.deps.db.selectFrom('replies_to_fetch').selectAll().execute();
    expect((await waiting()).map((one) => one.inbound_id)).toEqual([gone]);
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
    const gone = await harness.call({
      method: 'POST',
      url: '/users/me/delete',
      as: asUser(user.id),
      body: { password: 'correct horse' },
    });
    expect(gone.statusCode).toBe(200);
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

describe('GET /admin/inbox', () => {
  it('lists all conversations, newest first, by state, kind and search', async () => {
    const user = await aSubscriber(harness, { name: 'Winifred Searchable' });
    const ids: string[] = [];
    for (const subject of ['Alpha', 'Beta', 'Gamma', 'Delta']) {
      harness.clock.advance({ minutes: 1 });
      ids.unshift(await write(user, subject, `About ${subject}, zebrafish`));
    }
    const found = await list('?search=zebraf');
    expect(found.items.map((one) => one.id)).toEqual(ids);
    const first = await list('?search=zebrafish&limit=2');
    expect([first.items.map((one) => one.id), first.more]).toEqual([ids.slice(0, 2), true]);
    const second = await list(`?search=zebrafish&limit=2&before=${first.items[1]?.id}`);
    expect([second.items.map((one) => one.id), second.more]).toEqual([ids.slice(2), false]);
    await act(ids[0] ?? '', 'close');
    const state = async (one: string) =>
      (await list(`?search=zebrafish&state=${one}`)).items.map(({ id }) => id);
    expect([await state('closed'), await state('open')]).toEqual([[ids[0]], ids.slice(1)]);
    expect((await list('?search=zebrafish&kind=contact')).items).toEqual([]);
    expect((await list('?search=winif%20alph')).items.map(({ subject }) => subject)).toEqual([
      'Alpha',
    ]);
    for (const search of ["' or 1=1 --", '&|!():*', '%25', '\\'])
      expect((await list(`?search=${encodeURIComponent(search)}`)).items).toEqual([]);
    const open = (await list()).open;
    await act(ids[1] ?? '', 'close');
    expect((await list('?state=closed&limit=1')).open).toBe(open - 1);
  });

  it('masks contacts for viewers, also in search', async () => {
    const user = await aSubscriber(harness);
    const id = await write(user);
    const find = `?search=${encodeURIComponent(user.email)}`;
    expect((await list(find)).items.map((one) => one.id)).toEqual([id]);
    expect((await list(find, 'viewer')).items).toEqual([]);
    const seen = JSON.stringify([await read(id, 'viewer'), await list('?limit=100', 'viewer')]);
    expect(seen).not.toContain(user.email);
    expect(seen).not.toContain(user.phone);
    expect((await read(id, 'viewer')).email).toBe('a•••@example.com');
    expect((await read(id)).phone).toBe(user.phone);
  });

  it("lets viewers' searches match no hidden numbers or addresses", async () => {
    const user = await aSubscriber(harness);
    const id = await write(user, 'Quokka', 'Call 303-842-4835 or write to wombat@mine.example.');
    const finds = async (search: string, role?: 'viewer') =>
      (await list(`?search=${encodeURIComponent(search)}`, role)).items.map((one) => one.id);
    expect(await finds('quokka 303')).toEqual([id]);
    expect(await finds('quokka call', 'viewer')).toEqual([id]);
    for (const guess of ['quokka 303', 'quokka 8424', 'quokka wombat', 'quokka mine'])
      expect(await finds(guess, 'viewer')).toEqual([]);
  });

  it('masks numbers in messages for viewers', async () => {
    const user = await aSubscriber(harness);
    const id = await write(
      user,
      'Call +1 312 555 0199',
      'Or (312) 555-0198, or a.b@mine.example, please.',
    );
    await answer(id, 'email', 'We call you at 312.555.0197.');
    const shown = JSON.stringify([await read(id), await list('?limit=100')]);
    for (const end of ['0199', '0198', '0197']) expect(shown).toContain(end);
    const seen = JSON.stringify([await read(id, 'viewer'), await list('?limit=100', 'viewer')]);
    expect(seen).toContain('Call •••');
    expect(seen).not.toMatch(/312\D{1,2}555|mine\.example/);
  });

  it('is for admins; actions are for operators', async () => {
    const user = await aSubscriber(harness);
    const id = await write(user);
    expect((await harness.call({ url: '/admin/inbox' })).statusCode).toBe(401);
    expect((await harness.call({ url: '/admin/inbox', as: asUser(user.id) })).statusCode).toBe(403);
    for (const what of ['answer', 'close', 'reopen']) {
      const body = { by: 'email', text: 'x', idempotency_key: randomUUID() };
      const url = `/admin/inbox/${id}/${what}`;
      const call = { method: 'POST' as const, url, body };
      expect((await harness.call({ ...call, as: asAdmin('viewer') })).statusCode).toBe(403);
    }
    const nowhere = { as: asAdmin('operator'), url: `/admin/inbox/${randomUUID()}` };
    expect((await harness.call(nowhere)).statusCode).toBe(404);
    expect((await act(randomUUID(), 'close')).statusCode).toBe(404);
    expect((await read(id)).answers).toEqual([]);
  });
});

describe('A text from a number that its account only typed in', () => {
  const refusal = expect.stringMatching(/hasn't confirmed the number.*Reply by text\.$/);
  const expectNoEmail = async (id: string, email: string) => {
    expect((await read(id)).refusals).toEqual({ email: refusal, text: null });
    const refused = await answer(id, 'email');
    expect([refused.statusCode, detailOf(refused)]).toEqual([409, refusal]);
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

describe('Assigning', () => {
  const assign = (
    id: string,
    assignee_id: string | null,
    role: 'viewer' | 'operator' = 'operator',
  ) =>
    harness.call({
      method: 'PUT',
      url: `/admin/inbox/${id}/assignee`,
      as: asAdmin(role),
      body: { assignee_id },
    });

  it('accepts an active admin who may reply, and lists the conversation for them', async () => {
    const ops = await anAdmin(harness, {
      username: 'olga',
      password: 'a long one',
      role: 'operator',
    });
    const eye = await anAdmin(harness, {
      username: 'vera',
      password: 'a long one',
      role: 'viewer',
    });
    const id = await write(await aSubscriber(harness), 'Assign me');
    const choices = await harness.call({ url: '/admin/inbox/assignees', as: asAdmin('viewer') });
    expect(choices.json()).toContainEqual({ id: ops.id, username: 'olga' });
    expect(choices.json()).not.toContainEqual(expect.objectContaining({ id: eye.id }));
    expect((await assign(id, ops.id)).json()).toMatchObject({
      assignee: { id: ops.id, username: 'olga' },
    });
    await assign(id, ops.id);
    expect((await list(`?assignee=${ops.id}`)).items.map((one) => one.id)).toEqual([id]);
    expect((await assign(id, eye.id)).statusCode).toBe(400);
    expect((await assign(id, null, 'viewer')).statusCode).toBe(403);
    expect((await assign(id, null)).json()).toMatchObject({ assignee: null });
    expect(await audited(id)).toEqual(['someone letter.assigned', 'someone letter.assigned']);
  });
});

it('open conversations whose last message has no reply are listed as unanswered', async () => {
  const user = await aSubscriber(harness);
  const id = await write(user, 'Waiting');
  const isListed = async () =>
    (await list('?unanswered=true&limit=100')).items.some((one) => one.id === id);
  expect(await isListed()).toBe(true);
  harness.clock.advance({ minutes: 1 });
  await answer(id, 'email');
  expect(await isListed()).toBe(false);
  await act(id, 'close');
  expect(await isListed()).toBe(false);
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

it('someone who may be in danger is first in the inbox until their conversation is closed', async () => {
  const user = await aSubscriber(harness);
  await reply(user, 'I want to die');
  harness.clock.advance({ minutes: 1 });
  await reply(user, 'Are you there?');
  const [item] = await conversationsOf(user.id);
  expect(item?.flags).toEqual(['distress']);
  harness.clock.advance({ minutes: 1 });
  const later = await write(await aSubscriber(harness), 'Later');
  const ids = async (query: string) => (await list(query)).items.map((one) => one.id);
  const isBefore = (all: string[]) => all.indexOf(item?.id ?? '') < all.indexOf(later);
  expect(isBefore(await ids('?state=open&limit=100'))).toBe(true);
  const paged: string[] = [];
  for (let page = await ids('?limit=7'); page.length > 0; ) {
    paged.push(...page);
    page = await ids(`?limit=7&before=${page.at(-1)}`);
  }
  expect(new Set(paged).size).toBe(paged.length);
  expect(isBefore(paged)).toBe(true);
  await act(item?.id ?? '', 'close');
  expect(isBefore(await ids('?limit=100'))).toBe(false);
  expect((await conversationsOf(user.id))[0]?.flags).toEqual([]);
});

it('operators share, edit and delete saved replies, once per request', async () => {
  const id = randomUUID();
  const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    harness.call({
      method,
      url: `/admin/saved-replies${path}`,
      as: asAdmin('operator'),
      ...(body && { body }),
    });
  const body = { title: 'Billing', content: 'On the day your trial ends.' };
  expect((await call('POST', '', { id, ...body })).json()).toEqual([{ id, ...body }]);
  expect((await call('POST', '', { id, ...body, title: 'Again' })).json()).toEqual([
    { id, ...body },
  ]);
  const changed = { ...body, title: 'About billing' };
  expect((await call('PUT', `/${id}`, changed)).json()).toEqual([{ id, ...changed }]);
  expect((await call('PUT', `/${randomUUID()}`, changed)).statusCode).toBe(404);
  expect((await call('POST', '', { id: randomUUID(), title: ' ', content: 'x' })).statusCode).toBe(
    400,
  );
  const viewer = await harness.call({ url: '/admin/saved-replies', as: asAdmin('viewer') });
  expect(viewer.statusCode).toBe(403);
  expect((await call('DELETE', `/${id}`)).json()).toEqual([]);
  expect((await call('DELETE', `/${id}`)).statusCode).toBe(404);
  expect(await audited(id)).toEqual([
    'someone saved_reply.created',
    'someone saved_reply.changed',
    'someone saved_reply.deleted',
  ]);
});

describe('POST /admin/inbox/:id/answer', () => {
  it('by email sends one mail per key, in the existing thread', async () => {
    const user = await aSubscriber(harness);
    const id = await write(user, 'No text', 'Nothing came.\nWhy?');
    const key = randomUUID();
    const twice = await Promise.all([1, 2].map(() => answer(id, 'email', 'Sorry!', key)));
    expect(twice.map((one) => one.statusCode)).toEqual([200, 200]);
    harness.clock.advance({ minutes: 5 });
    await answer(id, 'email', 'It is mended now.');
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
      { by: 'email', text: 'It is mended now.' },
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
    const told = (await publishedEvents(harness.deps.db, 'accounts.answer.written'))
      .map((one) => one.data)
      .filter((one) => (one as { answer_id: string }).answer_id === key);
    expect(told).toEqual([
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
    const refused = await answer(id, 'text');
    expect([refused.statusCode, detailOf(refused)]).toEqual([
      409,
      "It's 11:15 PM in their time zone. Texts can go out from 8 AM to 9 PM, or within an hour of their text.",
    ]);
    expect((await read(id)).refusals).toEqual({ email: null, text: detailOf(refused) });
    await reply(user, 'Still awake');
    expect((await read(id)).refusals.text).toBeNull();
    const key = randomUUID();
    expect((await answer(id, 'text', 'Good night.', key)).statusCode).toBe(200);
    const told = (await publishedEvents(harness.deps.db, 'accounts.answer.written')).map(
      (one) => one.data as { answer_id: string; closes_at: string },
    );
    expect(told.find((one) => one.answer_id === key)?.closes_at).toBe('2027-03-07T06:15:00.000Z');
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
