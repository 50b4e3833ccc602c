import type { ScheduledContent } from '@daylift/contracts/content.events';
import { timesDecimal } from '@daylift/delivery/times-decimal';
import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
let message: ScheduledContent;
const operator = asAdmin('operator');

beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-06T15:00:00Z');
  message = aMessage();
  await scheduler.receive('content.message.scheduled', message);
});

const sendNow = (body?: object, id = message.id) =>
  scheduler.call('POST', `/admin/scheduled-messages/${id}/send-now`, operator, body);

describe('the preview', () => {
  test('shows reach, quiet hours and cost, and sends nothing', async () => {
    await subscribe(scheduler, { delivery_hour: 20 });
    await subscribe(scheduler, { timezone: 'Asia/Tokyo' });
    await subscribe(scheduler, { consent: 'pending' });
    const long = aMessage({ content: 'a'.repeat(161) });
    await scheduler.receive('content.message.scheduled', long);
    const response = await scheduler.call(
      'GET',
      `/admin/scheduled-messages/${long.id}/send-preview`,
      operator,
    );
    expect(response.json()).toEqual({
      scheduled_message_id: long.id,
      scheduled_message_title: 'A kind word',
      category: 'daily_motivation',
      scheduled_date: '2027-03-06',
      is_early: false,
      recipients: 2,
      is_estimate: false,
      in_quiet_hours: 1,
      off_day: 0,
      parts_per_text: 2,
      estimated_cost: '0.0160',
      currency: 'USD',
    });
    expect(await scheduler.releases()).toEqual([]);
  });

  test('counts weekly subscribers on other weekdays', async () => {
    // Saturday, March 6.
    const since = { entitled_since: '2027-02-20T12:00:00.000Z' };
    for (const weekday of [6, 1, 7])
      await subscribe(scheduler, { frequency: 'weekly', weekday }, since);
    const sent = aMessage({ category: 'announcement' });
    await scheduler.receive('content.message.scheduled', sent);
    const url = `/admin/scheduled-messages/${sent.id}/send-preview`;
    const response = await scheduler.call('GET', url, operator);
    expect(response.json()).toMatchObject({ recipients: 3, off_day: 2 });
  });

  test("of today's message is the same", async () => {
    const response = await scheduler.call('GET', '/admin/send-todays-message/preview', operator);
    expect(response.json()).toMatchObject({
      scheduled_message_id: message.id,
      recipients: 0,
      estimated_cost: '0.0000',
    });
  });

  test.each([
    ['0.0040', 3, '0.0120'],
    ['0.0040', 250_000, '1000.0000'],
    ['1', 7, '7'],
    ['0.1', 3, '0.3'],
    ['12.50', 0, '0.00'],
  ])('computes the exact cost: %s times %i', (price, times, product) => {
    expect(timesDecimal(price, times)).toBe(product);
  });
});

describe('Manual send endpoints:', () => {
  const doors = [
    ['POST', '/admin/send-todays-message'],
    ['GET', '/admin/send-todays-message/preview'],
    ['POST', '/admin/scheduled-messages/11111111-1111-4111-8111-111111111111/send-now'],
    ['GET', '/admin/scheduled-messages/11111111-1111-4111-8111-111111111111/send-preview'],
  ] as const;

  test.each(doors)(
    '%s %s: previews are for every admin, sends for operators',
    async (method, url) => {
      expect((await scheduler.call(method, url, null)).statusCode).toBe(401);
      expect((await scheduler.call(method, url, asUser())).statusCode).toBe(403);
      const response = await scheduler.call(method, url, asAdmin('viewer'));
      expect(response.statusCode === 403).toBe(method === 'POST');
    },
  );

  test('a send is audited with its admin, once for repeated calls', async () => {
    await sendNow({ hold_quiet_hours: true });
    await sendNow({});
    const actions = await publishedEvents(scheduler.db, 'scheduler.admin.acted');
    expect(actions.map((one) => one.data)).toEqual([
      expect.objectContaining({
        action: 'message.sent_now',
        target: message.id,
        details: { title: message.title, hold_quiet_hours: true },
      }),
    ]);
  });

  test.each(doors.slice(2))('%s %s responds 404 for a missing message', async (method, url) => {
    const response = await scheduler.call(method, url, operator);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'NO_SUCH_MESSAGE' });
  });

  test('a deleted message is not found', async () => {
    await scheduler.receive('content.message.deleted', { id: message.id, version: 2 });
    expect((await sendNow()).statusCode).toBe(404);
  });

  test('a message that arrives right after the click is found', async () => {
    const late = aMessage();
    const answered = sendNow({}, late.id);
    await scheduler.receive('content.message.scheduled', late);
    expect((await answered).statusCode).toBe(200);
  });

  test.each([
    ['an id that is none', '/admin/scheduled-messages/17/send-now', {}],
    ['a wrong type', '/admin/send-todays-message', { hold_quiet_hours: 'yes' }],
    ['an unknown field', '/admin/send-todays-message', { hold: true }],
    ['a list for a body', '/admin/send-todays-message', []],
  ])('%s is rejected with an explanation', async (_what, url, body) => {
    const response = await scheduler.call('POST', url, operator, body);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'INVALID_INPUT', detail: expect.any(String) });
  });
});
