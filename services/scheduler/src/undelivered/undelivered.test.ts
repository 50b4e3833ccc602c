import type { UndeliveredTexts } from '@daylift/contracts/undelivered.http';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aMessage, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
const canned = {} as Record<string, unknown>;
beforeAll(async () => {
  scheduler = await openScheduler();
  Object.assign(canned, scheduler.answers);
  return () => scheduler.close();
});
beforeEach(async () => {
  Object.assign(scheduler.answers, canned);
  await scheduler.reset('2027-03-05T12:00:00Z');
});

const viewer = asAdmin('viewer');
const operator = asAdmin('operator');
const readUndelivered = async (query = '', as = operator): Promise<UndeliveredTexts> =>
  (await scheduler.call('GET', `/admin/missed${query}`, as)).json();
const group = async (key: string, more = '') =>
  readUndelivered(`?reason=${encodeURIComponent(key)}${more}`);

test('returns for each reason how many due subscribers got nothing, and who', async () => {
  await scheduler.receive('content.template.changed', aTemplate());
  const people = [];
  for (let index = 0; index < 6; index += 1) people.push(await subscribe(scheduler));
  const [sent, frozen, frozenToo, bad, paused, carrier] = people as [
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
  ];
  await change(scheduler, paused, { paused_until: '2027-03-09' });
  await scheduler.goTo('2027-03-06T14:00:00Z');
  expect((await readUndelivered()).groups).toEqual([
    expect.objectContaining({ key: 'waiting:', outcome: 'waiting', people: 5 }),
    expect.objectContaining({ key: 'skipped:paused', people: 1 }),
  ]);
  const texts = await scheduler.texts();
  const textOf = (userId: string) => texts.find((one) => one.user_id === userId)!;
  await scheduler.answer(textOf(sent.user_id), 'accepted');
  await scheduler.answer(textOf(carrier.user_id), 'accepted');
  for (const one of [frozen, frozenToo])
    await scheduler.answer(textOf(one.user_id), 'missed', { reason: 'frozen' });
  await scheduler.answer(textOf(bad.user_id), 'refused', { reason: 'provider_40310' });
  scheduler.answers['/internal/undelivered'] = {
    groups: [{ reason: 'carrier_40008', people: 1 }],
    people: [{ user_id: carrier.user_id, ended_at: '2027-03-06T14:01:00.000Z' }],
  };
  scheduler.answers['/internal/people'] = [
    { id: frozen.user_id, name: 'Ada', email: 'ada@example.com', phone: '+14155550123' },
  ];
  const { date, groups, people: none } = await readUndelivered();
  expect(date).toBe('2027-03-06');
  expect(none).toEqual([]);
  expect(groups.map(({ key, people: count }) => [key, count])).toEqual([
    ['missed:frozen', 2],
    ['refused:provider_40310', 1],
    ['failed:carrier_40008', 1],
    ['skipped:paused', 1],
  ]);
  expect(groups[0]?.words).toBe('Sending was frozen until it was too late.');
  const named = (await group('missed:frozen')).people;
  expect(named).toHaveLength(2);
  expect(named.find((one) => one.user_id === frozen.user_id)).toEqual({
    user_id: frozen.user_id,
    name: 'Ada',
    email: 'ada@example.com',
    phone: '+14155550123',
    timezone: 'America/New_York',
    due_at: '2027-03-06T14:00:00.000Z',
    ended_at: '2027-03-06T14:00:00.000Z',
  });
  expect((await group('failed:carrier_40008')).people).toEqual([
    expect.objectContaining({ user_id: carrier.user_id, ended_at: '2027-03-06T14:01:00.000Z' }),
  ]);
  expect((await readUndelivered('?reason=skipped:paused')).people).toEqual([
    expect.objectContaining({ user_id: paused.user_id }),
  ]);
});

test('pages through the subscribers of a reason, each once', async () => {
  const ids = [];
  for (let index = 0; index < 7; index += 1) ids.push((await subscribe(scheduler)).user_id);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  const found: string[] = [];
  let next: string | null = null;
  do {
    const page: UndeliveredTexts = await group(
      'missed:no content',
      `&limit=3${next === null ? '' : `&cursor=${next}`}`,
    );
    found.push(...page.people.map((one) => one.user_id));
    next = page.next;
  } while (next !== null);
  expect(found).toEqual(ids.toSorted());
});

test('excludes other dates and texts that were sent after all', async () => {
  await scheduler.receive('content.template.changed', aTemplate());
  await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  const [text] = await scheduler.texts();
  await scheduler.answer(text!, 'unknown', { reason: 'no_answer' });
  expect(await readUndelivered('?date=2027-03-05')).toMatchObject({ groups: [], was_due: false });
  scheduler.answers['/internal/undelivered'] = { has_texts: true, groups: [], people: [] };
  expect(await readUndelivered('?date=2027-03-05')).toMatchObject({ groups: [], was_due: true });
  expect((await readUndelivered()).groups).toMatchObject([
    {
      key: 'unknown:no_answer',
      words: "The provider didn't respond. It may have been sent, so it isn't retried.",
    },
  ]);
  await scheduler.answer(text!, 'accepted');
  expect((await readUndelivered()).groups).toEqual([]);
});

test('lists announcements too, each subscriber once, apart from daily texts', async () => {
  await scheduler.receive('content.template.changed', aTemplate());
  for (const title of ['News', 'More news'])
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ title, category: 'announcement', scheduled_time: '09:00' }),
    );
  const { user_id } = await subscribe(scheduler);
  const other = await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  expect((await readUndelivered()).groups).toMatchObject([
    { key: 'waiting:', kind: 'daily', people: 2 },
    { key: 'announcement-waiting:', kind: 'announcement', people: 2 },
  ]);
  const texts = await scheduler.texts();
  for (const text of texts) {
    const isTheirs = text.kind === 'announcement' && text.user_id === user_id;
    await scheduler.answer(text, isTheirs ? 'refused' : 'accepted', {
      ...(isTheirs && { reason: 'provider_40310' }),
    });
  }
  scheduler.answers['/internal/undelivered of announcements'] = {
    has_texts: true,
    stopped: null,
    groups: [{ reason: 'carrier_40008', people: 1 }],
    people: [
      {
        user_id: other.user_id,
        text_id: texts.find((one) => one.kind === 'announcement' && one.user_id === other.user_id)
          ?.dispatch_id,
        ended_at: '2027-03-06T14:01:00.000Z',
      },
    ],
  };
  expect((await readUndelivered()).groups).toMatchObject([
    { key: 'announcement-refused:provider_40310', kind: 'announcement', people: 1 },
    { key: 'announcement-failed:carrier_40008', kind: 'announcement', people: 1 },
  ]);
  expect((await group('announcement-refused:provider_40310')).people).toMatchObject([{ user_id }]);
  expect((await group('announcement-failed:carrier_40008')).people).toMatchObject([
    { user_id: other.user_id, ended_at: '2027-03-06T14:01:00.000Z' },
  ]);
});

test('shows the hour of the announcement that failed, not of another one that day', async () => {
  for (const scheduled_time of ['09:00', '11:00'])
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ category: 'announcement', scheduled_time }),
    );
  const { user_id } = await subscribe(scheduler);
  for (const hour of [14, 16]) await scheduler.goTo(`2027-03-06T${hour}:00:00Z`);
  const texts = (await scheduler.texts()).filter(({ kind }) => kind === 'announcement');
  expect(texts).toHaveLength(2);
  for (const text of texts) await scheduler.answer(text, 'accepted');
  for (const { dispatch_id: text_id, due_at } of texts) {
    scheduler.answers['/internal/undelivered of announcements'] = {
      has_texts: true,
      stopped: null,
      groups: [{ reason: 'carrier_40008', people: 1 }],
      people: [{ user_id, text_id, ended_at: null }],
    };
    const { people } = await group('announcement-failed:carrier_40008');
    expect(people.map((one) => one.due_at)).toEqual([due_at]);
  }
});

test('texts that wait for the end of a freeze say so', async () => {
  await scheduler.receive('content.template.changed', aTemplate());
  const { user_id } = await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  const held = { has_texts: true, groups: [], people: [] };
  scheduler.answers['/internal/undelivered'] = { ...held, stopped: 'frozen' };
  expect((await readUndelivered()).groups).toMatchObject([
    { outcome: 'waiting', words: 'Sending is frozen.', people: 1 },
  ]);
  expect((await group('waiting:')).people).toMatchObject([{ user_id }]);
  scheduler.answers['/internal/undelivered'] = { ...held, stopped: 'paused' };
  expect((await readUndelivered()).groups).toMatchObject([
    { words: 'The provider is rejecting all texts or is down.' },
  ]);
});

test('lists texts to the test number as such', async () => {
  await scheduler.receive('content.template.changed', aTemplate());
  const { user_id } = await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  const [text] = await scheduler.texts();
  await scheduler.answer(text!, 'accepted', { is_test: true });
  expect((await readUndelivered()).groups).toMatchObject([{ outcome: 'testing', people: 1 }]);
  expect((await group('testing:')).people).toMatchObject([{ user_id }]);
});

test('masks contacts for viewers, and is for admins only', async () => {
  await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  const { user_id } = (await group('missed:no content')).people[0]!;
  scheduler.answers['/internal/people'] = [
    { id: user_id, name: 'Ada', email: 'ada@example.com', phone: '+14155550123' },
  ];
  const [person] = (await readUndelivered('?reason=missed:no%20content', viewer)).people;
  expect(person).toMatchObject({ phone: '+1••••••••23', email: 'a•••@example.com' });
  const status = async (query: string, as: Parameters<typeof scheduler.call>[2]) =>
    (await scheduler.call('GET', `/admin/missed${query}`, as)).statusCode;
  expect(await status('', null)).toBe(401);
  expect(await status('', asUser())).toBe(403);
  for (const query of ['?date=2027-02-30', '?reason=missed', '?cursor=x', '?limit=0', '?limit=101'])
    expect(await status(query, viewer)).toBe(400);
});
