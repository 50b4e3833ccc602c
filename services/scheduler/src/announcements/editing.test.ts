import { minuteMs } from '@daylift/clock/durations';
import type { ScheduledContent } from '@daylift/contracts/content.events';
import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aTemplate, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
let message: ScheduledContent;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T00:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

const since = { entitled_since: '2027-03-01T00:00:00.000Z' };
const schedule = async (change: Partial<ScheduledContent>) => {
  message = aMessage(change);
  await scheduler.receive('content.message.scheduled', message);
};
const edit = async (change: Partial<ScheduledContent>) => {
  message = { ...message, ...change, version: message.version + 1 };
  await scheduler.receive('content.message.scheduled', message);
};
const through = (from: string, to: string, outcome?: 'missed') =>
  scheduler.pass({ from, to, stepMs: 30 * minuteMs }, outcome);
/** Returns whom the message reached, when, and with which text. */
const reached = async () => {
  const accepted = new Set(
    (await scheduler.dispatches()).filter((one) => one.state === 'accepted').map((one) => one.id),
  );
  return (await scheduler.texts())
    .filter((one) => one.scheduled_message_id === message.id && accepted.has(one.dispatch_id))
    .map((one) => `${one.user_id} ${one.due_at.slice(0, 16)} ${one.content}`)
    .toSorted();
};
const completions = async () =>
  (await publishedEvents(scheduler.db, 'scheduler.message.completed')).map((one) => one.data);

describe('an announcement edited while being sent', () => {
  const tokyo = { user_id: '11111111-1111-4111-8111-111111111111', timezone: 'Asia/Tokyo' };
  const york = { user_id: '22222222-2222-4222-8222-222222222222' };
  beforeEach(async () => {
    await subscribe(scheduler, tokyo, { ...since, user_id: tokyo.user_id });
    await subscribe(scheduler, york, { ...since, user_id: york.user_id });
    await schedule({ category: 'announcement', scheduled_time: '12:30', content: 'First' });
    await through('2027-03-06T00:00:00Z', '2027-03-06T06:00:00Z');
    expect(await reached()).toEqual([`${tokyo.user_id} 2027-03-06T03:30 First`]);
  });

  test("to another date reaches those who haven't had it, and no one twice", async () => {
    await edit({ scheduled_date: '2027-03-08', content: 'Second' });
    await through('2027-03-06T06:30:00Z', '2027-03-09T06:00:00Z');
    expect(await reached()).toEqual([
      `${tokyo.user_id} 2027-03-06T03:30 First`,
      `${york.user_id} 2027-03-08T17:30 Second`,
    ]);
  });

  test('to another hour or text keeps released texts unchanged', async () => {
    await edit({ scheduled_time: '15:00', content: 'Second' });
    await edit({ content: 'Third' });
    await through('2027-03-06T06:30:00Z', '2027-03-07T06:00:00Z');
    expect(await reached()).toEqual([
      `${tokyo.user_id} 2027-03-06T03:30 First`,
      `${york.user_id} 2027-03-06T20:00 Third`,
    ]);
  });

  test('within hours that are already planned is sent only at the new hour', async () => {
    await through('2027-03-06T06:30:00Z', '2027-03-06T17:00:00Z');
    for (const scheduled_time of ['14:00', '13:00', '16:00']) await edit({ scheduled_time });
    await through('2027-03-06T17:30:00Z', '2027-03-07T06:00:00Z');
    expect(await reached()).toEqual([
      `${tokyo.user_id} 2027-03-06T03:30 First`,
      `${york.user_id} 2027-03-06T21:00 First`,
    ]);
  });

  test("to a daily message becomes that for those who haven't had it", async () => {
    await edit({ category: 'daily_motivation', scheduled_date: '2027-03-08' });
    await through('2027-03-06T06:30:00Z', '2027-03-09T15:00:00Z');
    expect(await reached()).toEqual([
      `${tokyo.user_id} 2027-03-06T03:30 First`,
      `${york.user_id} 2027-03-08T14:00 First`,
    ]);
    const texts = await scheduler.texts();
    const dailies = texts.filter((one) => one.kind === 'daily');
    const dates = dailies.map((one) => `${one.user_id} ${one.local_date}`);
    expect(new Set(dates).size).toBe(dates.length);
  });

  test('and deleted reaches no one else', async () => {
    await edit({ scheduled_date: '2027-03-08' });
    await scheduler.receive('content.message.deleted', { id: message.id, version: 3 });
    await through('2027-03-06T06:30:00Z', '2027-03-09T06:00:00Z');
    expect(await reached()).toHaveLength(1);
  });
});

describe('an edited message', () => {
  test('that no one got at the old hour is sent at the new one', async () => {
    const { user_id } = await subscribe(scheduler, {}, since);
    await schedule({ category: 'announcement', scheduled_time: '09:30' });
    await through('2027-03-06T13:00:00Z', '2027-03-06T15:00:00Z', 'missed');
    await edit({ scheduled_time: '17:00' });
    await through('2027-03-06T20:00:00Z', '2027-03-07T00:00:00Z');
    expect(await reached()).toEqual([`${user_id} 2027-03-06T22:00 ${message.content}`]);
  });

  test('for the day, moved after some got it, reaches no one twice', async () => {
    const tokyo = await subscribe(scheduler, { timezone: 'Asia/Tokyo' }, since);
    const york = await subscribe(scheduler, {}, since);
    await schedule({ content: 'Once' });
    await through('2027-03-05T23:00:00Z', '2027-03-06T03:00:00Z');
    await edit({ scheduled_date: '2027-03-08' });
    await through('2027-03-06T03:30:00Z', '2027-03-09T03:00:00Z');
    const had = (await reached()).map((one) => one.slice(0, 36));
    expect(had.toSorted()).toEqual([tokyo.user_id, york.user_id].toSorted());
    // Every date still has a text.
    const dates = (await scheduler.dispatches(york.user_id)).map((one) => one.local_date);
    expect(dates).toEqual(['2027-03-05', '2027-03-06', '2027-03-07', '2027-03-08']);
  });

  test('is completed in the version that was sent', async () => {
    await schedule({});
    await edit({ title: 'Second' });
    await scheduler.goTo('2027-03-07T15:00:00Z');
    expect(await completions()).toMatchObject([{ scheduled_message_id: message.id, version: 2 }]);
  });

  test('completed in an older version is sent and completed again', async () => {
    await schedule({});
    await scheduler.goTo('2027-03-07T15:00:00Z');
    const { user_id } = await subscribe(scheduler, {}, since);
    await edit({ scheduled_date: '2027-03-09', content: 'Late change' });
    await through('2027-03-07T15:30:00Z', '2027-03-10T18:00:00Z');
    expect(await reached()).toEqual([`${user_id} 2027-03-09T14:00 Late change`]);
    expect(await completions()).toMatchObject([{ version: 1 }, { version: 2 }]);
  });

  test('sent manually meanwhile stays sent, in its newest version', async () => {
    await subscribe(scheduler, {}, since);
    await schedule({ scheduled_date: '2027-03-05' });
    await scheduler.goTo('2027-03-05T16:00:00Z');
    const url = `/admin/scheduled-messages/${message.id}/send-now`;
    await scheduler.call('POST', url, asAdmin('operator'));
    await edit({ scheduled_date: '2027-03-08' });
    await edit({ title: 'Once more' });
    await through('2027-03-05T16:30:00Z', '2027-03-09T00:00:00Z');
    expect(await reached()).toHaveLength(1);
    expect(await completions()).toMatchObject([{ version: 1 }, { version: 2 }, { version: 3 }]);
  });

  test('in an older version than known changes nothing', async () => {
    await schedule({ version: 3, content: 'Newest' });
    await scheduler.receive('content.message.scheduled', {
      ...message,
      version: 2,
      content: 'Old',
    });
    const { user_id } = await subscribe(scheduler, {}, since);
    await through('2027-03-06T13:00:00Z', '2027-03-06T15:00:00Z');
    expect(await reached()).toEqual([`${user_id} 2027-03-06T14:00 Newest`]);
  });
});
