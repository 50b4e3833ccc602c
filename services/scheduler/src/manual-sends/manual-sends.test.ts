import type { ScheduledContent } from '@daylift/contracts/content.events';
import { eventually } from '@daylift/testing/eventually';
import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';
import { fanOutPage } from './fan-out.ts';

let scheduler: Scheduler;
let message: ScheduledContent;
const operator = asAdmin('operator');

beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  // 10:00 in New York, 00:00 of the next date in Tokyo.
  await scheduler.reset('2027-03-06T15:00:00Z');
  scheduler.deps.manualSendWaitMs = 50;
  await scheduler.receive('content.template.changed', aTemplate());
  message = aMessage({ content: 'By hand, {{first_name}}' });
  await scheduler.receive('content.message.scheduled', message);
});

const sendNow = (body?: object, id = message.id) =>
  scheduler.call('POST', `/admin/scheduled-messages/${id}/send-now`, operator, body);
const noneOf = { successful_sends: 0, failed_sends: 0, pending: 0, held: 0 };
const dates = async () => (await scheduler.texts()).map((one) => one.local_date);

describe('a manual send', () => {
  test('immediately reaches everyone eligible who had no text for their date', async () => {
    const waiting = await subscribe(scheduler, { delivery_hour: 18 });
    const had = await subscribe(scheduler, { delivery_hour: 9 });
    await subscribe(scheduler, { consent: 'pending' });
    await subscribe(scheduler, { paused_until: '2027-03-09' });
    await subscribe(scheduler, {}, { entitled: false });
    await scheduler.goTo('2027-03-07T14:00:00Z');
    await scheduler.goTo('2027-03-07T15:00:00Z');
    expect((await scheduler.texts()).map((one) => one.user_id)).toEqual([had.user_id]);

    const response = await sendNow();
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      ...noneOf,
      scheduled_message_title: 'A kind word',
      total_recipients: 1,
      pending: 1,
    });
    const [, sent] = await scheduler.texts();
    expect(sent).toMatchObject({
      user_id: waiting.user_id,
      local_date: '2027-03-07',
      content: 'By hand, {{first_name}}',
      scheduled_message_id: message.id,
      slot: null,
      windows: [{ opens_at: '2027-03-07T15:00:00.000Z', closes_at: '2027-03-07T18:00:00.000Z' }],
      batch: { id: response.json().batch_id, kind: 'staff_send' },
    });
  });

  test('counts as the text of that date', async () => {
    await subscribe(scheduler, { delivery_hour: 18 });
    await scheduler.goTo('2027-03-06T21:30:00Z');
    expect((await scheduler.dispatches())[0]).toMatchObject({ state: 'planned' });
    await sendNow();
    await scheduler.answer((await scheduler.texts())[0] ?? never(), 'accepted');
    await scheduler.goTo('2027-03-06T23:00:00Z');
    await scheduler.goTo('2027-03-07T23:00:00Z');
    expect(await dates()).toEqual(['2027-03-06', '2027-03-07']);
  });

  test('reaches subscribers who signed up today', async () => {
    await subscribe(scheduler, {}, { entitled_since: '2027-03-06T14:59:00.000Z' });
    expect((await sendNow()).json()).toMatchObject({ total_recipients: 1 });
    expect(await dates()).toEqual(['2027-03-06']);
  });

  test('is fully reported once all of its texts have an outcome', async () => {
    for (let n = 0; n < 4; n += 1) await subscribe(scheduler, { delivery_hour: 20 });
    scheduler.deps.manualSendWaitMs = 10_000;
    const answered = sendNow();
    const texts = await eventually(async () => {
      const found = await scheduler.texts();
      return found.length === 4 ? found : null;
    });
    const [one, two, three, four] = texts;
    await scheduler.answer(one ?? never(), 'accepted');
    await scheduler.answer(two ?? never(), 'accepted');
    await scheduler.answer(three ?? never(), 'refused');
    await scheduler.answer(four ?? never(), 'skipped', { reason: 'opted_out' });
    expect((await answered).json()).toMatchObject({
      ...noneOf,
      total_recipients: 4,
      successful_sends: 2,
      failed_sends: 1,
    });
  });

  test('is one batch with the same counts for ten parallel requests', async () => {
    for (let n = 0; n < 60; n += 1) await subscribe(scheduler, { delivery_hour: 20 });
    scheduler.deps.manualSendWaitMs = 20_000;
    const answering = Promise.all(Array.from({ length: 10 }, () => sendNow({})));
    const texts = await eventually(async () => {
      const found = await scheduler.texts();
      return found.length === 60 ? found : null;
    });
    await Promise.all(texts.map((text) => scheduler.answer(text, 'accepted')));
    const responses = await answering;
    expect(new Set(responses.map((one) => one.body)).size).toBe(1);
    expect(responses[0]?.json()).toMatchObject({ total_recipients: 60, successful_sends: 60 });
    const releases = await scheduler.releases();
    expect(releases).toHaveLength(60);
    expect(new Set(releases.map((one) => one.user_id)).size).toBe(60);
  });

  test('returns the first result when repeated, and sends nothing', async () => {
    await subscribe(scheduler, { delivery_hour: 20 });
    const first = (await sendNow()).json();
    await scheduler.answer((await scheduler.texts())[0] ?? never(), 'accepted');
    await scheduler.goTo('2027-03-07T15:00:00Z');
    const second = (await sendNow()).json();
    expect(second).toEqual({ ...first, successful_sends: 1, pending: 0 });
    expect((await scheduler.texts()).filter((one) => one.slot === null)).toHaveLength(1);
  });

  test('to no one is reported, and the message is completed', async () => {
    expect((await sendNow()).json()).toEqual({
      ...noneOf,
      scheduled_message_title: 'A kind word',
      total_recipients: 0,
      batch_id: expect.any(String),
    });
    expect(await publishedEvents(scheduler.db, 'scheduler.message.completed')).toHaveLength(1);
  });

  test('completes its message once', async () => {
    await subscribe(scheduler, { delivery_hour: 20 });
    await sendNow();
    await scheduler.answer((await scheduler.texts())[0] ?? never(), 'accepted');
    await scheduler.goTo('2027-03-09T00:00:00Z');
    const completed = await publishedEvents(scheduler.db, 'scheduler.message.completed');
    expect(completed.map((one) => one.data)).toEqual([
      { scheduled_message_id: message.id, completed_at: '2027-03-06T15:00:00.000Z', version: 1 },
    ]);
  });

  test('skips those who had the same message at their own hour', async () => {
    await scheduler.reset('2027-03-05T20:00:00Z');
    await scheduler.receive('content.message.scheduled', message);
    await subscribe(
      scheduler,
      { timezone: 'Asia/Tokyo', delivery_hour: 8 },
      { entitled_since: '2027-03-05T01:00:00.000Z' },
    );
    await scheduler.goTo('2027-03-05T23:00:00Z');
    expect(await dates()).toEqual(['2027-03-06']);
    await scheduler.goTo('2027-03-06T15:30:00Z');
    expect((await sendNow()).json()).toMatchObject({ total_recipients: 0 });
  });

  test('to the test number leaves the date free', async () => {
    await subscribe(scheduler, { delivery_hour: 20 });
    await sendNow();
    await scheduler.answer((await scheduler.texts())[0] ?? never(), 'accepted', { is_test: true });
    const other = aMessage({ title: 'For real' });
    await scheduler.receive('content.message.scheduled', other);
    expect((await sendNow({}, other.id)).json()).toMatchObject({ total_recipients: 1 });
    const names = (await scheduler.texts()).map((one) => one.dispatch_id);
    expect(new Set(names).size).toBe(2);
  });

  test('continues after a crash, and sends to no one twice', async () => {
    for (let n = 0; n < 20; n += 1) await subscribe(scheduler, { delivery_hour: 20 });
    await scheduler.db
      .insertInto('staff_sends')
      .values({
        id: crypto.randomUUID(),
        scheduled_message_id: message.id,
        batch_id: crypto.randomUUID(),
        hold_quiet_hours: false,
        requested_at: scheduler.clock.now(),
        after_user_id: null,
      })
      .execute();
    await Promise.all(Array.from({ length: 4 }, () => fanOutPage(scheduler.deps)));
    await scheduler.settle();
    expect(await scheduler.releases()).toHaveLength(20);
    expect((await sendNow()).json()).toMatchObject({ total_recipients: 20 });
  });

  test('stops if its message is deleted, even when all that is left is held', async () => {
    const waiting = await subscribe(scheduler, { delivery_hour: 20 });
    await subscribe(scheduler, { timezone: 'Asia/Tokyo', delivery_hour: 12 });
    await sendNow({ hold_quiet_hours: true });
    await scheduler.receive('content.message.deleted', { id: message.id, version: 2 });
    await subscribe(scheduler, { delivery_hour: 20 });
    await scheduler.settle();
    for (const at of ['2027-03-06T23:00:00Z', '2027-03-07T03:30:00Z']) await scheduler.goTo(at);
    const reached = (await scheduler.texts()).filter((one) => one.scheduled_message_id !== null);
    expect(reached.map((one) => one.user_id)).toEqual([waiting.user_id]);
    expect((await scheduler.call('GET', '/admin/held-texts', operator)).json()).toEqual([]);
  });

  test('concurrent with the daily release sends each person one text', async () => {
    for (let n = 0; n < 120; n += 1) await subscribe(scheduler, { delivery_hour: 11 });
    await scheduler.settle();
    scheduler.clock.set('2027-03-06T16:00:00Z');
    await Promise.all([sendNow(), scheduler.settle(), scheduler.settle()]);
    await scheduler.settle();
    const releases = await scheduler.releases();
    expect(releases).toHaveLength(120);
    expect(new Set(releases.map((one) => one.user_id)).size).toBe(120);
  });
});

describe('texts held until the morning', () => {
  test('are those outside 08:00-21:00, each until 08:00 local time', async () => {
    await subscribe(scheduler, { delivery_hour: 20 });
    const held = await subscribe(
      scheduler,
      { timezone: 'Asia/Tokyo', delivery_hour: 12 },
      { entitled_since: '2027-03-04T01:00:00.000Z' },
    );
    expect((await sendNow({ hold_quiet_hours: true })).json()).toMatchObject({
      total_recipients: 2,
      pending: 1,
      held: 1,
    });
    await scheduler.goTo('2027-03-06T23:00:00Z');
    const late = (await scheduler.texts()).find((one) => one.user_id === held.user_id);
    expect(late).toMatchObject({
      local_date: '2027-03-07',
      content: 'By hand, {{first_name}}',
      windows: [{ opens_at: '2027-03-06T23:00:00.000Z', closes_at: '2027-03-07T02:00:00.000Z' }],
      batch: { kind: 'staff_send' },
    });
    await scheduler.goTo('2027-03-07T03:00:00Z');
    expect((await scheduler.texts()).filter((one) => one.user_id === held.user_id)).toHaveLength(1);
    expect((await sendNow()).json()).toMatchObject({ total_recipients: 2, held: 0 });
  });

  test('are only held with that option', async () => {
    await subscribe(scheduler, { timezone: 'Asia/Tokyo' });
    expect((await sendNow()).json()).toMatchObject({ total_recipients: 1, pending: 1, held: 0 });
    expect((await scheduler.texts())[0]?.windows).toEqual([
      { opens_at: '2027-03-06T15:00:00.000Z', closes_at: '2027-03-06T16:00:00.000Z' },
    ]);
  });

  test("in the evening count for the next date, and don't replace today's text", async () => {
    scheduler.clock.set('2027-03-07T03:00:00Z');
    await subscribe(scheduler, { delivery_hour: 23 });
    await sendNow({ hold_quiet_hours: true });
    for (const at of ['2027-03-07T04:00:00Z', '2027-03-07T13:00:00Z', '2027-03-08T06:00:00Z'])
      await scheduler.goTo(at);
    expect((await scheduler.texts()).map((one) => [one.local_date, one.due_at])).toEqual([
      ['2027-03-06', '2027-03-07T04:00:00.000Z'],
      ['2027-03-07', '2027-03-07T13:00:00.000Z'],
    ]);
  });

  test('are skipped if ineligible in the morning', async () => {
    const { user_id } = await subscribe(
      scheduler,
      { timezone: 'Asia/Tokyo', delivery_hour: 12 },
      { entitled_since: '2027-03-04T01:00:00.000Z' },
    );
    await sendNow({ hold_quiet_hours: true });
    await scheduler.receive('sms.recipient.opted_out', {
      user_id,
      at: scheduler.clock.now().toISOString(),
      source: 'keyword',
    });
    await scheduler.goTo('2027-03-06T23:00:00Z');
    expect(await scheduler.texts()).toEqual([]);
    expect((await scheduler.dispatches(user_id))[0]).toMatchObject({
      state: 'skipped',
      reason: 'opted_out',
    });
  });

  test('wait for 08:00 of a zone to which their recipient moves, as the next text says', async () => {
    const home = await subscribe(
      scheduler,
      { timezone: 'Asia/Tokyo', delivery_hour: 12 },
      { entitled_since: '2027-03-04T01:00:00.000Z' },
    );
    await sendNow({ hold_quiet_hours: true });
    const moved = { timezone: 'Europe/London', delivery_time: '12:00' };
    const me = asUser(home.user_id);
    const preview = await scheduler.call('POST', '/users/me/next-text/preview', me, moved);
    await change(scheduler, home, { timezone: 'Europe/London' });
    const next = await scheduler.call('GET', '/users/me/next-text', me);
    for (const one of [preview, next])
      expect(one.json()).toMatchObject({
        local_date: '2027-03-07',
        next_text_at: '2027-03-07T08:00:00.000Z',
      });
    await scheduler.goTo('2027-03-06T23:00:00Z');
    await scheduler.goTo('2027-03-07T08:00:00Z');
    await scheduler.goTo('2027-03-07T12:00:00Z');
    expect(await scheduler.texts()).toMatchObject([
      { local_date: '2027-03-07', due_at: '2027-03-07T08:00:00.000Z', slot: null },
    ]);
  });

  test('go at once in a zone in which that morning, but not the day, has passed', async () => {
    scheduler.clock.set('2027-03-07T11:30:00Z');
    const home = { timezone: 'America/Los_Angeles', delivery_hour: 9 };
    const traveler = await subscribe(scheduler, home);
    await sendNow({ hold_quiet_hours: true });
    const announcement = aMessage({ content: 'We moved.', category: 'announcement' });
    await scheduler.receive('content.message.scheduled', announcement);
    await sendNow({ hold_quiet_hours: true }, announcement.id);
    await change(scheduler, traveler, { timezone: 'Europe/London' });
    for (const at of ['2027-03-07T11:31:00Z', '2027-03-07T16:00:00Z']) await scheduler.goTo(at);
    const sent = (await scheduler.texts()).map((one) => [one.content, one.local_date, one.due_at]);
    expect(sent.toSorted()).toEqual([
      ['By hand, {{first_name}}', '2027-03-07', '2027-03-07T11:30:00.000Z'],
      ['We moved.', '2027-03-07', '2027-03-07T11:30:00.000Z'],
    ]);
  });

  test('give way to the usual text of a zone in which that morning has passed and quiet hours have begun', async () => {
    const home = { timezone: 'America/Los_Angeles', delivery_hour: 20 };
    scheduler.clock.set('2027-03-07T12:00:00Z');
    const traveler = await subscribe(scheduler, home);
    await sendNow({ hold_quiet_hours: true });
    const east = await change(scheduler, traveler, { timezone: 'Asia/Tokyo', delivery_hour: 22 });
    await scheduler.goTo('2027-03-07T13:00:00Z');
    expect(await scheduler.texts()).toMatchObject([
      { local_date: '2027-03-07', slot: { delivery_hour: 22 } },
    ]);
    await change(scheduler, east, home);
    await scheduler.goTo('2027-03-08T04:00:00Z');
    expect(await dates()).toEqual(['2027-03-07']);
  });

  test("don't come after the text of a later date further east", async () => {
    const home = { timezone: 'America/Los_Angeles', delivery_hour: 20 };
    scheduler.clock.set('2027-03-07T12:00:00Z');
    const traveler = await subscribe(scheduler, home);
    await sendNow({ hold_quiet_hours: true });
    const away = { timezone: 'Pacific/Auckland', delivery_hour: 2 };
    const moved = await change(scheduler, traveler, away);
    await scheduler.goTo('2027-03-07T13:00:00Z');
    await change(scheduler, moved, home);
    await scheduler.goTo('2027-03-07T16:00:00Z');
    expect(await dates()).toEqual(['2027-03-08']);
  });
});

describe("today's message", () => {
  const send = (body?: object) =>
    scheduler.call('POST', '/admin/send-todays-message', operator, body);

  test("is the one for the operator's date", async () => {
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ scheduled_date: '2027-03-07', title: 'Of tomorrow' }),
    );
    scheduler.clock.set('2027-03-07T04:59:00Z');
    expect((await send()).json()).toMatchObject({ scheduled_message_title: 'A kind word' });
    scheduler.clock.set('2027-03-07T05:00:00Z');
    expect((await send()).json()).toMatchObject({ scheduled_message_title: 'Of tomorrow' });
  });

  test('that is not the previewed one any more is not sent', async () => {
    await subscribe(scheduler, { delivery_hour: 20 });
    const tomorrows = aMessage({ scheduled_date: '2027-03-07' });
    await scheduler.receive('content.message.scheduled', tomorrows);
    const url = '/admin/send-todays-message/preview';
    const { scheduled_message_id } = (await scheduler.call('GET', url, operator)).json();
    scheduler.clock.set('2027-03-07T05:00:00Z');
    const other = await send({ scheduled_message_id });
    expect([other.statusCode, other.json().code]).toEqual([409, 'OTHER_MESSAGE_TODAY']);
    expect(await scheduler.releases()).toEqual([]);
    expect((await send({ scheduled_message_id: tomorrows.id })).statusCode).toBe(200);
  });

  test('that is missing is reported in words', async () => {
    scheduler.clock.set('2027-04-01T15:00:00Z');
    const response = await send();
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ detail: 'No message is scheduled for today.' });
  });

  test("sent at its own hours isn't sent again, even to late joiners", async () => {
    await scheduler.db
      .updateTable('scheduled_messages')
      .set({ completed_at: scheduler.clock.now() })
      .execute();
    await subscribe(scheduler, { delivery_hour: 20 });
    const url = '/admin/send-todays-message/preview';
    for (const response of [await send(), await scheduler.call('GET', url, operator)]) {
      expect(response.statusCode).toBe(409);
      expect(response.json()).toMatchObject({ code: 'ALREADY_SENT' });
    }
    expect(await scheduler.releases()).toEqual([]);
  });

  test('is sent once on a double click', async () => {
    await subscribe(scheduler, { delivery_hour: 20 });
    scheduler.deps.manualSendWaitMs = 2_000;
    const responses = await Promise.all([send(), send({ hold_quiet_hours: true })]);
    expect(responses[0]?.json()).toEqual(responses[1]?.json());
    expect(await scheduler.releases()).toHaveLength(1);
  });
});

function never(): never {
  throw new Error('Nothing was released');
}
