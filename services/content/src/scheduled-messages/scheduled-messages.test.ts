import { randomUUID } from 'node:crypto';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startContent, statuses, type TestContent } from '../../test/harness.ts';

let test: TestContent;
beforeAll(async () => {
  test = await startContent();
});
afterAll(() => test.stop());
beforeEach(async () => {
  test.clock.set('2027-03-06T12:00:00Z');
  await test.db.deleteFrom('scheduled_messages').execute();
  await test.db.deleteFrom('message_progress').execute();
  await test.db.deleteFrom('outbox').execute();
});

describe('POST /admin/scheduled-messages', () => {
  it('schedules a daily message for the written date, and publishes it', async () => {
    const { status, body } = await test.schedule({
      scheduled_date: '2027-03-07T23:30:00.000-05:00',
      content: 'Good morning, {{first_name}}.',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      scheduled_date: '2027-03-07',
      scheduled_time: '08:00',
      category: 'daily_motivation',
      is_sent: false,
      sent_at: null,
      total_recipients: 0,
      created_at: '2027-03-06T12:00:00.000Z',
    });
    const [event] = await publishedEvents(test.db, 'content.message.scheduled');
    expect(event?.data).toEqual({
      id: body.id,
      version: 1,
      title: 'Spring',
      content: 'Good morning, {{first_name}}.',
      scheduled_date: '2027-03-07',
      scheduled_time: '08:00',
      category: 'daily_motivation',
    });
  });

  it('allows one daily message per date, even for ten concurrent calls, and any number of announcements', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, number) => test.schedule({ title: `Spring ${number}` })),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([
      201,
      ...Array(9).fill(409),
    ]);
    expect(responses.find((response) => response.status === 409)?.body.detail).toBe(
      'March 7, 2027 already has a daily message. Edit or delete it first.',
    );
    const news = { category: 'announcement', scheduled_time: '20:59' };
    expect((await test.schedule(news)).status).toBe(201);
    expect((await test.schedule({ ...news, title: 'More' })).status).toBe(201);
    expect(await publishedEvents(test.db, 'content.message.scheduled')).toHaveLength(3);
  });

  it.each(['daily_motivation', 'announcement'])(
    'treats ten concurrent clicks, and one right after, as one (%s)',
    async (category) => {
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => test.schedule({ category })),
      );
      test.clock.advance({ seconds: 9 });
      responses.push(await test.schedule({ category }));
      expect(
        new Set(responses.map((response) => `${response.status} ${response.body.id}`)).size,
      ).toBe(1);
      expect(responses[0]?.status).toBe(201);
      expect(await publishedEvents(test.db, 'content.message.scheduled')).toHaveLength(1);
      expect(await publishedEvents(test.db, 'content.admin.acted')).toHaveLength(1);
    },
  );

  it('accepts an identical announcement after the double-click interval', async () => {
    const news = { category: 'announcement' };
    const { body } = await test.schedule(news);
    test.clock.advance({ seconds: 11 });
    expect((await test.schedule(news)).body.id).not.toBe(body.id);
  });

  it('accepts another daily message for a date whose message was sent early', async () => {
    const { body } = await test.schedule();
    await test.hear('scheduler', 'scheduler.message.completed', {
      scheduled_message_id: body.id,
      completed_at: '2027-03-06T12:00:00Z',
      sent_early: true,
    });
    expect(await test.schedule({ title: 'Another' })).toMatchObject({ status: 201 });
    expect((await test.schedule({ title: 'A third' })).status).toBe(409);
    const sent = await test.list('?status=sent');
    expect(sent).toMatchObject([{ id: body.id, is_sent: true, sent_early: true }]);
    expect((await test.remove(body.id)).status).toBe(409);
  });

  it('rejects a second daily message after the first was sent, and accepts announcements', async () => {
    const { body } = await test.schedule();
    await test.hear('scheduler', 'scheduler.message.completed', {
      scheduled_message_id: body.id,
      completed_at: '2027-03-07T12:00:00Z',
    });
    expect(await test.schedule({ title: 'Another' })).toMatchObject({
      status: 409,
      body: { detail: 'The daily message for March 7, 2027 has already been sent.' },
    });
    expect((await test.schedule({ category: 'announcement' })).status).toBe(201);
  });

  it('treats a date as past once it is over in every zone', async () => {
    test.clock.set('2027-03-08T11:59:00Z');
    expect((await test.schedule()).status).toBe(201);
    await test.db.deleteFrom('scheduled_messages').execute();
    test.clock.set('2027-03-08T12:00:00Z');
    const late = await test.schedule();
    expect(late.status).toBe(400);
    expect(late.body.detail).toContain('March 7, 2027 has passed in every time zone');
  });

  it('accepts any later date', async () => {
    const { status, body } = await test.schedule({ scheduled_date: '9999-12-31' });
    expect([status, body.scheduled_date]).toEqual([201, '9999-12-31']);
    expect(await test.list()).toMatchObject([{ scheduled_date: '9999-12-31' }]);
  });

  it('normalizes text and removes control and invisible characters', async () => {
    const { body } = await test.schedule({
      title: '  Cafe\u0301\tof\nthe day ',
      content: 'One\r\ntwo\u0007\u202e\tthree\u2028',
    });
    expect([body.title, body.content]).toEqual(['Caf\u00e9 of the day', 'One\ntwo three']);
  });

  it.each(['Hi {{ first_name }}', 'Hi {{first_name }}, {{\n first_name}}', 'Hi {{{first_name}}}'])(
    'accepts the name placeholder in any form that is replaced: %j',
    async (content) => {
      const { status, body } = await test.schedule({ content });
      expect([status, body.content]).toEqual([201, content]);
    },
  );

  it('keeps markup as plain text', async () => {
    const content = '<script>alert(1)</script> {curly} ^~| \u{1f305}';
    expect((await test.schedule({ content })).body.content).toBe(content);
  });

  it.each([
    ['no title', { title: undefined }, /title/],
    ['a blank title', { title: ' \t' }, /blank/],
    ['a title of control characters', { title: '\u0007' }, /blank|fill in/],
    ['blank content', { content: '\n\n' }, /blank/],
    ['content of 1601 characters', { content: 'x'.repeat(1601) }, /1600/],
    [
      'content of more parts than the carrier takes',
      { content: '\u{1f305}'.repeat(400) },
      /at most 10/,
    ],
    ['an unknown placeholder', { content: 'Hi {{name}}' }, /\{\{name\}\}/],
    ['a placeholder of another case', { content: 'Hi {{ First_Name }}' }, /\{\{ First_Name \}\}/],
    ['an empty placeholder', { content: 'Hi {{ }}' }, /\{\{ \}\}/],
    ['a right one and a wrong one', { content: '{{ first_name }} {{ code }}' }, /\{\{ code \}\}/],
    ['29 February of no leap year', { scheduled_date: '2027-02-29' }, /Invalid date/],
    ['month 13', { scheduled_date: '2027-13-01' }, /Invalid date/],
    ['year 0', { scheduled_date: '0000-01-01' }, /has passed/],
    ['a date in other words', { scheduled_date: 'tomorrow' }, /2027-03-07/],
    ['the past', { scheduled_date: '2027-03-04' }, /has passed/],
    ['hour 24', { scheduled_time: '24:00' }, /08:00/],
    ['an announcement at night', { category: 'announcement', scheduled_time: '21:00' }, /20:59/],
    ['an announcement too early', { category: 'announcement', scheduled_time: '07:59' }, /20:59/],
    ['another category', { category: 'spam' }, /daily_motivation/],
    ['a field too many', { is_sent: true }, /is_sent/],
    ['a number for a title', { title: 7 }, /string/],
    ['a NUL', { content: 'a\0b' }, /invalid characters/],
  ])('responds 400 to %s', async (_name, change, detail) => {
    const { status, body } = await test.schedule(change);
    expect(status).toBe(400);
    expect(body.detail).toMatch(detail);
    expect(await publishedEvents(test.db)).toEqual([]);
  });

  it('is for operators', async () => {
    const payload = { title: 'a', content: 'b', scheduled_date: '2027-03-07' };
    expect(await statuses(test, 'POST', '/admin/scheduled-messages', payload)).toEqual({
      anonymous: 401,
      user: 403,
      viewer: 403,
    });
    expect(await test.list()).toEqual([]);
  });
});

describe('DELETE /admin/scheduled-messages/:id', () => {
  it('deletes an unsent message, publishes a newer version, and frees the date', async () => {
    const { body } = await test.schedule();
    expect(await test.remove(body.id)).toEqual({ status: 204, body: null });
    const [event] = await publishedEvents(test.db, 'content.message.deleted');
    expect(event?.data).toEqual({ id: body.id, version: 2 });
    expect((await test.schedule()).status).toBe(201);
  });

  it('publishes it once for ten clicks', async () => {
    const { body } = await test.schedule();
    const responses = await Promise.all(Array.from({ length: 10 }, () => test.remove(body.id)));
    expect(responses.map((response) => response.status).sort()).toEqual([
      204,
      ...Array(9).fill(404),
    ]);
    expect(await publishedEvents(test.db, 'content.message.deleted')).toHaveLength(1);
  });

  it('keeps a sent message', async () => {
    const { body } = await test.schedule();
    await test.hear('scheduler', 'scheduler.message.completed', {
      scheduled_message_id: body.id,
      completed_at: '2027-03-07T12:00:00Z',
    });
    const rejected = await test.remove(body.id);
    expect(rejected.status).toBe(409);
    expect(rejected.body?.detail).toBe('This message has already been sent.');
    expect(await test.list()).toHaveLength(1);
  });

  it('deletes its counts too, and ignores later ones', async () => {
    const [{ body: removed }, { body: remaining }] = [
      await test.schedule(),
      await test.schedule({ scheduled_date: '2027-03-08' }),
    ];
    const counts = { total: 2, successful: 1, failed: 0, pending: 1 };
    const batch_id = randomUUID();
    const progressed = (version: number) =>
      test.hear('sms', 'sms.batch.progressed', {
        batch_id,
        version,
        ...counts,
        by_message: [removed.id, remaining.id].map((id) => ({
          scheduled_message_id: id,
          ...counts,
        })),
      });
    const counted = () =>
      test.db.selectFrom('message_progress').select(['scheduled_message_id', 'version']).execute();
    await progressed(1);
    expect(await counted()).toHaveLength(2);
    await Promise.all([test.remove(removed.id), progressed(2)]);
    expect(await counted()).toEqual([{ scheduled_message_id: remaining.id, version: 2 }]);
    expect(await progressed(3)).toBe('handled');
    expect(await counted()).toEqual([{ scheduled_message_id: remaining.id, version: 3 }]);
  });

  it('is for operators', async () => {
    const { body } = await test.schedule();
    const url = `/admin/scheduled-messages/${body.id}`;
    expect(await statuses(test, 'DELETE', url)).toEqual({ anonymous: 401, user: 403, viewer: 403 });
    expect(await test.list()).toHaveLength(1);
  });

  it('responds 404 to an unknown id and 400 to an invalid one', async () => {
    expect((await test.remove(randomUUID())).status).toBe(404);
    expect((await test.remove('42')).status).toBe(400);
  });
});

describe('GET /admin/scheduled-messages', () => {
  it('shows the progress of each, in any order of events', async () => {
    const { body } = await test.schedule();
    const batch = randomUUID();
    const progressed = (batch_id: string, version: number, successful: number, pending: number) => {
      const counts = { total: 12, successful, failed: 10 - successful - pending, pending };
      return test.hear('sms', 'sms.batch.progressed', {
        batch_id,
        version,
        ...counts,
        by_message: [{ scheduled_message_id: body.id, ...counts }],
      });
    };
    await progressed(batch, 3, 7, 1);
    await progressed(batch, 2, 4, 6);
    await progressed(randomUUID(), 1, 9, 0);
    await test.hear('scheduler', 'scheduler.message.completed', {
      scheduled_message_id: body.id,
      completed_at: '2027-03-08T12:00:00Z',
    });
    await test.hear('scheduler', 'scheduler.message.completed', {
      scheduled_message_id: body.id,
      completed_at: '2027-03-09T12:00:00Z',
    });
    expect(await test.list()).toMatchObject([
      {
        total_recipients: 24,
        successful_sends: 16,
        failed_sends: 3,
        skipped_sends: 4,
        pending_sends: 1,
        is_sent: true,
        sent_at: '2027-03-08T12:00:00.000Z',
      },
    ]);
  });

  it('lists the next message first and sent messages last, latest first, across pages', async () => {
    for (const day of ['08', '10', '09']) await test.schedule({ scheduled_date: `2027-03-${day}` });
    for (const date of ['2027-03-06', '2027-03-07']) {
      const { body } = await test.schedule({ scheduled_date: date });
      await test.hear('scheduler', 'scheduler.message.completed', {
        scheduled_message_id: body.id,
        completed_at: '2027-03-07T12:00:00Z',
      });
    }
    const dates = (rows: Record<string, unknown>[]) => rows.map((row) => row.scheduled_date);
    expect(dates(await test.list('?limit=2'))).toEqual(['2027-03-08', '2027-03-09']);
    expect(dates(await test.list('?limit=3&offset=2'))).toEqual([
      '2027-03-10',
      '2027-03-07',
      '2027-03-06',
    ]);
    const response = await test.app.inject({
      url: '/admin/scheduled-messages?limit=1',
      headers: test.asAdmin('viewer'),
    });
    expect(response.headers['x-total-count']).toBe('5');
  });

  it('filters upcoming (soonest first) and sent ones, by category and title', async () => {
    const { body: sent } = await test.schedule({ title: '100% of it' });
    await test.hear('scheduler', 'scheduler.message.completed', {
      scheduled_message_id: sent.id,
      completed_at: '2027-03-07T12:00:00Z',
      version: 1,
    });
    await test.schedule({ title: 'Later', scheduled_date: '2027-03-09' });
    await test.schedule({ title: 'Soon', scheduled_date: '2027-03-08' });
    await test.schedule({ title: 'News_1', category: 'announcement' });
    const titles = async (query: string) => (await test.list(query)).map((row) => row.title);
    expect(await titles('?status=upcoming')).toEqual(['News_1', 'Soon', 'Later']);
    expect(await titles('?status=sent')).toEqual(['100% of it']);
    expect(await titles('?category=announcement')).toEqual(['News_1']);
    expect(await titles('?search=oo')).toEqual(['Soon']);
    expect(await titles('?search=0%25')).toEqual(['100% of it']);
    expect(await titles('?search=_')).toEqual(['News_1']);
    const response = await test.call('GET', '/admin/scheduled-messages?status=upcoming&limit=1');
    expect(response.total).toBe(3);
  });

  it('is for admins', async () => {
    const statusByRole = await statuses(test, 'GET', '/admin/scheduled-messages');
    expect(statusByRole).toEqual({ anonymous: 401, user: 403, viewer: 200 });
  });

  it.each(['limit=0', 'limit=501', 'offset=-1', 'limit=ten'])(
    'responds 400 to %s',
    async (query) => {
      const url = `/admin/scheduled-messages?${query}`;
      const response = await test.app.inject({ url, headers: test.asAdmin() });
      expect(response.statusCode).toBe(400);
    },
  );
});
