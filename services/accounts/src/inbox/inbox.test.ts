import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAdmin, aSubscriber } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness } from '../../test/harness.ts';
import { inboxCalls } from '../../test/inbox-calls.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
const { fetchReplies, reply, list, read, act, answer, detailOf, conversationsOf, write, audited } =
  inboxCalls(() => harness);

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

  it('finds addresses, links and numbers with hyphens inside of messages', async () => {
    const user = await aSubscriber(harness);
    const words = 'I saw bilby.example/plan and wrote as numbat@old.example, or call 303-842-4836.';
    const id = await write(user, 'Other account', words);
    for (const search of ['bilby.example/plan', 'numbat@old.example', '303-842-4836']) {
      const find = `?search=${encodeURIComponent(search)}`;
      expect(
        (await list(find)).items.map((one) => one.id),
        search,
      ).toEqual([id]);
      const isContact = !search.endsWith('/plan');
      expect((await list(find, 'viewer')).items).toHaveLength(isContact ? 0 : 1);
    }
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
    const unknown = { as: asAdmin('operator'), url: `/admin/inbox/${randomUUID()}` };
    expect((await harness.call(unknown)).statusCode).toBe(404);
    expect((await act(randomUUID(), 'close')).statusCode).toBe(404);
    expect((await read(id)).answers).toEqual([]);
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
    const viewer = await anAdmin(harness, {
      username: 'vera',
      password: 'a long one',
      role: 'viewer',
    });
    const id = await write(await aSubscriber(harness), 'Assign me');
    const choices = await harness.call({ url: '/admin/inbox/assignees', as: asAdmin('viewer') });
    expect(choices.json()).toContainEqual({ id: ops.id, username: 'olga' });
    expect(choices.json()).not.toContainEqual(expect.objectContaining({ id: viewer.id }));
    expect((await assign(id, ops.id)).json()).toMatchObject({
      assignee: { id: ops.id, username: 'olga' },
    });
    await assign(id, ops.id);
    expect((await list(`?assignee=${ops.id}`)).items.map((one) => one.id)).toEqual([id]);
    expect((await assign(id, viewer.id)).statusCode).toBe(400);
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

const close = (id: string, body: object) =>
  harness.call({ method: 'POST', url: `/admin/inbox/${id}/close`, as: asAdmin('operator'), body });

it("isn't closed with a message that the page doesn't show yet", async () => {
  const user = await aSubscriber(harness);
  await reply(user, 'Hello?');
  const [{ id, last_at } = { id: '', last_at: '' }] = await conversationsOf(user.id);
  harness.clock.advance({ seconds: 10 });
  await reply(user, 'I want to die');
  const unread = await close(id, { last_at });
  expect([unread.statusCode, detailOf(unread)]).toEqual([
    409,
    'They have written again. Read the new message before you close this conversation.',
  ]);
  const { state, flags, last_at: seen } = await read(id);
  expect([state, flags]).toEqual(['open', ['distress']]);
  expect((await close(id, { last_at: seen })).json()).toMatchObject({ state: 'closed' });
});

it("isn't closed with a text that arrives after the last shown, though it was written before", async () => {
  const user = await aSubscriber(harness);
  const writtenAt = harness.clock.now();
  harness.clock.advance({ seconds: 10 });
  await reply(user, 'Are you there?');
  const [{ id, last_at } = { id: '', last_at: '' }] = await conversationsOf(user.id);
  harness.clock.set(writtenAt.toISOString());
  await reply(user, 'I want to die');
  expect((await close(id, { last_at })).statusCode).toBe(409);
  const { letters, flags, last_at: seen } = await read(id);
  expect(letters.map((one) => one.message)).toEqual(['I want to die', 'Are you there?']);
  expect(flags).toEqual(['distress']);
  expect((await close(id, { last_at: seen })).json()).toMatchObject({ state: 'closed' });
});

it('a text that arrives after a reply, though it was written before, is listed as unanswered', async () => {
  const user = await aSubscriber(harness);
  const id = await write(user, 'Cancel, please');
  await answer(id, 'text', 'Will do.');
  harness.clock.advance({ minutes: 1 });
  await reply(user, 'Wait, do not cancel!', { fetch: false });
  harness.clock.advance({ seconds: 5 });
  await answer(id, 'text', 'It is canceled.');
  await fetchReplies();
  const [item] = (await list('?unanswered=true&limit=100')).items.filter((one) => one.id === id);
  expect(item).toMatchObject({ preview: 'Wait, do not cancel!', answered_at: null });
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
