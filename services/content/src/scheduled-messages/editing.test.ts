import { randomUUID } from 'node:crypto';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Body, startContent, statuses, type TestContent } from '../../test/harness.ts';

let test: TestContent;
beforeAll(async () => {
  test = await startContent();
});
afterAll(() => test.stop());
beforeEach(async () => {
  test.clock.set('2027-03-06T12:00:00Z');
  await test.db.deleteFrom('scheduled_messages').execute();
  await test.db.deleteFrom('outbox').execute();
});

const edit = (message: Body, change: object = {}) =>
  test.call('PUT', `/admin/scheduled-messages/${message.id}`, {
    title: message.title,
    content: message.content,
    scheduled_date: message.scheduled_date,
    version: message.version,
    ...change,
  });
const complete = (message: Body, version: number) =>
  test.hear('scheduler', 'scheduler.message.completed', {
    scheduled_message_id: message.id,
    completed_at: '2027-03-07T12:00:00Z',
    version,
  });
const published = async () =>
  (await publishedEvents(test.db, 'content.message.scheduled')).map((one) => one.data);

describe('PUT /admin/scheduled-messages/:id', () => {
  it('changes the given fields, keeps the rest, and publishes a newer version', async () => {
    const { body } = await test.schedule({ category: 'announcement', scheduled_time: '09:30' });
    const { status, body: edited } = await edit(body, {
      content: ' The light is  back, {{first_name}}. ',
      scheduled_date: '2027-03-09T00:00:00Z',
    });
    expect(status).toBe(200);
    const now = {
      id: body.id,
      version: 2,
      title: 'Spring',
      content: 'The light is  back, {{first_name}}.',
      scheduled_date: '2027-03-09',
      scheduled_time: '09:30',
      category: 'announcement',
    };
    expect(edited).toMatchObject(now);
    expect((await published())[1]).toEqual(now);
    const [, adminAction] = await publishedEvents(test.db, 'content.admin.acted');
    expect(adminAction?.data).toMatchObject({
      action: 'message.changed',
      target: body.id,
      details: {
        title: body.title,
        content: 'changed',
        scheduled_date: { from: '2027-03-07', to: '2027-03-09' },
      },
    });
  });

  it('accepts one of two editors and reports a conflict to the other', async () => {
    const { body } = await test.schedule();
    const responses = await Promise.all([
      edit(body, { title: 'By Ada' }),
      edit(body, { title: 'By Bob' }),
    ]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 409]);
    expect(responses.find((response) => response.status === 409)?.body).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      detail: expect.stringContaining('Someone else changed this'),
    });
    const [stored] = await test.list();
    expect([stored?.title, stored?.version]).toEqual([
      responses.find((response) => response.status === 200)?.body.title,
      2,
    ]);
  });

  it('is idempotent', async () => {
    const { body } = await test.schedule();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => edit(body, { title: 'Summer' })),
    );
    expect(responses.map((response) => [response.status, response.body.version])).toEqual(
      Array(10).fill([200, 2]),
    );
    expect(await published()).toHaveLength(2);
    expect(await publishedEvents(test.db, 'content.admin.acted')).toHaveLength(2);
  });

  it('rejects a date that already has a message', async () => {
    const { body } = await test.schedule();
    const { body: other } = await test.schedule({ title: 'Other', scheduled_date: '2027-03-08' });
    const rejected = await edit(body, { scheduled_date: '2027-03-08' });
    expect(rejected).toMatchObject({
      status: 409,
      body: {
        detail: 'March 8, 2027 already has a daily message. Edit or delete it first.',
      },
    });
    await complete(other, 1);
    expect((await edit(body, { scheduled_date: '2027-03-08' })).body.detail).toBe(
      'The daily message for March 8, 2027 has already been sent.',
    );
    const freed = await edit(body, { scheduled_date: '2027-03-08', category: 'announcement' });
    expect(freed.status).toBe(200);
    expect((await test.schedule()).status).toBe(201);
  });

  it('rejects changes to a sent message', async () => {
    const { body } = await test.schedule();
    await complete(body, 1);
    const rejected = await edit(body, { title: 'Too late' });
    expect(rejected).toMatchObject({
      status: 409,
      body: { detail: 'This message has already been sent.' },
    });
    expect(await test.list()).toMatchObject([{ title: 'Spring', version: 1, is_sent: true }]);
  });

  it('is applied either before or after a concurrent send', async () => {
    for (let round = 0; round < 10; round += 1) {
      await test.db.deleteFrom('scheduled_messages').execute();
      const { body } = await test.schedule({ title: `Round ${round}` });
      const [edited] = await Promise.all([edit(body, { title: 'Edited' }), complete(body, 1)]);
      const [row] = await test.list();
      // A response that accepted the change means the message goes out with the new text.
      expect([edited.status, row?.title, row?.is_sent]).toEqual(
        edited.status === 200 ? [200, 'Edited', false] : [409, `Round ${round}`, true],
      );
    }
  });

  it('with a concurrent deletion leaves nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { body } = await test.schedule({ title: `Round ${round}` });
      const [edited, removed] = await Promise.all([
        edit(body, { title: 'Edited' }),
        test.remove(body.id),
      ]);
      expect(removed.status).toBe(204);
      expect([200, 404]).toContain(edited.status);
      expect(await test.list()).toEqual([]);
      const versions = (await published())
        .filter((data) => (data as Body).id === body.id)
        .map((data) => (data as Body).version);
      const deleted = await publishedEvents(test.db, 'content.message.deleted');
      expect(deleted.at(-1)?.data).toEqual({ id: body.id, version: versions.length + 1 });
    }
  });

  it.each([
    ['a blank title', { title: ' ' }, /blank/],
    ['a date that is over', { scheduled_date: '2027-03-01' }, /has passed/],
    ['an announcement at night', { category: 'announcement', scheduled_time: '22:00' }, /20:59/],
    ['no version', { version: undefined }, /version/],
    ['a version of 0', { version: 0 }, /version/],
    ['a field too many', { is_sent: true }, /is_sent/],
  ])('responds 400 to %s', async (_name, change, detail) => {
    const { body } = await test.schedule();
    const rejected = await edit(body, change);
    expect(rejected.status).toBe(400);
    expect(rejected.body.detail).toMatch(detail);
    expect(await published()).toHaveLength(1);
  });

  it('is for operators, and returns 404 for unknown messages', async () => {
    const { body } = await test.schedule();
    const url = `/admin/scheduled-messages/${body.id}`;
    const change = { title: 'a', content: 'b', scheduled_date: '2027-03-07', version: 1 };
    expect(await statuses(test, 'PUT', url, change)).toEqual({
      anonymous: 401,
      user: 403,
      viewer: 403,
    });
    expect((await edit({ ...body, id: randomUUID() })).status).toBe(404);
  });
});

describe('GET /admin/scheduled-messages/calendar', () => {
  interface Day {
    date: string;
    daily: Body | null;
    announcements: Body[];
    sent_early: Body[];
  }
  const calendar = async (query = '') =>
    (
      await test.call<{ days: Day[]; library: object }>(
        'GET',
        `/admin/scheduled-messages/calendar${query}`,
        undefined,
        'viewer',
      )
    ).body;

  it("shows sixty days from the operators' today, each with its messages or none", async () => {
    test.clock.set('2027-03-06T04:59:00Z');
    await test.schedule({ scheduled_date: '2027-03-05' });
    await test.schedule({ title: 'Last', scheduled_date: '2027-05-03' });
    await test.schedule({ title: 'Beyond', scheduled_date: '2027-05-04' });
    for (const title of ['One', 'Two'])
      await test.schedule({ title, category: 'announcement', scheduled_date: '2027-03-06' });
    const { days, library } = await calendar();
    expect(days).toHaveLength(60);
    expect([days[0]?.date, days[1]?.date, days.at(-1)?.date]).toEqual([
      '2027-03-05',
      '2027-03-06',
      '2027-05-03',
    ]);
    expect(days[0]?.daily).toMatchObject({ title: 'Spring', is_sent: false, version: 1 });
    expect(days[1]?.daily).toBeNull();
    expect(days[1]?.announcements.map((one) => one.title).toSorted()).toEqual(['One', 'Two']);
    expect(days.at(-1)?.daily).toMatchObject({ title: 'Last' });
    expect(library).toMatchObject({ days_without_message: 58, is_enough: true });
  });

  it('shows a message sent early on the day it was sent, and frees its date', async () => {
    const { body: daily } = await test.schedule({ title: 'Early', scheduled_date: '2027-03-08' });
    const { body: news } = await test.schedule({
      title: 'News',
      category: 'announcement',
      scheduled_date: '2027-06-08',
    });
    const { body: before } = await test.schedule({
      title: 'Yesterday',
      category: 'announcement',
      scheduled_date: '2027-06-09',
    });
    const sent = (message: Body, completed_at: string, more: object = {}) =>
      test.hear('scheduler', 'scheduler.message.completed', {
        scheduled_message_id: message.id,
        completed_at,
        version: 1,
        ...more,
      });
    await sent(daily, '2027-03-06T12:00:00Z', { sent_early: true });
    await sent(news, '2027-03-06T13:00:00Z');
    await sent(before, '2027-03-06T04:59:59Z');
    const { days, library } = await calendar('?days=3');
    expect(days.map((one) => one.sent_early.map(({ title }) => title))).toEqual([
      ['Early', 'News'],
      [],
      [],
    ]);
    expect(days.map((one) => [one.daily, one.announcements])).toEqual([
      [null, []],
      [null, []],
      [null, []],
    ]);
    expect(library).toMatchObject({ days_without_message: 3 });
    await test.schedule({ title: 'In its place', scheduled_date: '2027-03-08' });
    expect((await calendar('?days=3')).days[2]?.daily).toMatchObject({ title: 'In its place' });
  });

  it('reports when the library is too small for days without a message', async () => {
    await test.db.updateTable('templates').set({ is_active: false }).execute();
    expect((await calendar('?days=2')).library).toEqual({
      active: 0,
      days_without_message: 2,
      is_enough: false,
    });
    await test.db.updateTable('templates').set({ is_active: true }).execute();
  });

  it('is for admins, for one to ninety days', async () => {
    const url = '/admin/scheduled-messages/calendar';
    expect(await statuses(test, 'GET', url)).toEqual({ anonymous: 401, user: 403, viewer: 200 });
    for (const days of ['0', '91', 'x', '1.5'])
      expect((await test.call('GET', `${url}?days=${days}`)).status).toBe(400);
  });
});
