import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  aMessage,
  aSubscription,
  aTemplate,
  change,
  someSettings,
  subscribe,
} from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

const readNextText = async (user: string) =>
  (await scheduler.call('GET', '/users/me/next-text', asUser(user))).json();
const none = (reason: string, timezone: string | null = 'America/New_York') => ({
  next_text_at: null,
  local_date: null,
  timezone,
  reason,
});

describe('the next text', () => {
  test('is returned with instant, local date and zone, before and after it is planned', async () => {
    const { user_id } = await subscribe(scheduler);
    const expected = {
      next_text_at: '2027-03-06T14:00:00.000Z',
      local_date: '2027-03-06',
      timezone: 'America/New_York',
      reason: null,
    };
    expect(await readNextText(user_id)).toEqual(expected);
    await scheduler.goTo('2027-03-06T13:00:00Z');
    expect(await readNextText(user_id)).toEqual(expected);
    await scheduler.goTo('2027-03-06T14:00:00Z');
    expect(await readNextText(user_id)).toMatchObject({ local_date: '2027-03-07' });
  });

  test('follows a change of the hour immediately', async () => {
    const settings = await subscribe(scheduler);
    await change(scheduler, settings, { delivery_hour: 20 });
    expect(await readNextText(settings.user_id)).toMatchObject({
      next_text_at: '2027-03-07T01:00:00.000Z',
      local_date: '2027-03-06',
    });
  });

  test('is returned despite a pause that ends before it', async () => {
    const { user_id } = await subscribe(scheduler, { paused_until: '2027-03-06' });
    expect(await readNextText(user_id)).toMatchObject({ local_date: '2027-03-06', reason: null });
  });

  test.each([
    ['daily', {}, '2027-03-12'],
    ['weekly', { frequency: 'weekly', weekday: 6 }, '2027-03-13'],
  ] as const)(
    'of a paused %s subscriber is the first one after the pause',
    async (_, cadence, date) => {
      const { user_id } = await subscribe(scheduler, { ...cadence, paused_until: '2027-03-12' });
      const expected = { local_date: date, next_text_at: `${date}T14:00:00.000Z`, reason: null };
      expect(await readNextText(user_id)).toMatchObject(expected);
      // Within the pause, a text already has a row that will be skipped.
      await scheduler.goTo('2027-03-06T13:00:00Z');
      expect(await readNextText(user_id)).toMatchObject(expected);
    },
  );

  test('is null if the subscription ends before the end of the pause', async () => {
    const { user_id } = await subscribe(
      scheduler,
      { paused_until: '2027-03-12' },
      { entitled_until: '2027-03-10T12:00:00.000Z' },
    );
    expect(await readNextText(user_id)).toEqual(
      none('Your subscription ends before your next text.'),
    );
  });

  test.each([
    [
      { consent: 'pending' },
      {},
      'Reply YES to our text, or confirm your number with a code in Settings, to start.',
    ],
    [{ consent: 'revoked' }, {}, "You haven't agreed to receive our texts."],
    [{ paused_until: '2027-03-12' }, { entitled: false }, 'Your texts are paused until March 12.'],
    [{ is_active: false }, {}, 'Your account is paused. Please contact us to continue.'],
    [
      { delivery_enabled: false },
      {},
      'Your texts are turned off. You can turn them on in your settings.',
    ],
    [{}, { entitled: false }, 'Your texts have stopped. Your Plan tab says why.'],
    [{}, { entitled: false, entitled_since: null }, 'Your texts start when you subscribe.'],
    [
      {},
      { entitled_until: '2027-03-06T12:00:00.000Z' },
      'Your subscription ends before your next text.',
    ],
  ] as const)('that is null has a reason: %o %o', async (settings, state, words) => {
    const { user_id } = await subscribe(scheduler, settings, state);
    expect(await readNextText(user_id)).toEqual(none(words));
  });

  test('after STOP is none until START', async () => {
    const { user_id } = await subscribe(scheduler);
    const stop = { user_id, at: '2027-03-05T13:00:00.000Z', source: 'keyword' };
    await scheduler.receive('sms.recipient.opted_out', stop);
    expect(await readNextText(user_id)).toEqual(
      none('Your texts are off. Text START to our number to turn them back on.'),
    );
    await scheduler.receive('sms.recipient.opted_in', { user_id, at: '2027-03-05T14:00:00.000Z' });
    expect(await readNextText(user_id)).toMatchObject({ local_date: '2027-03-06' });
  });

  test('returns after STOP for a subscriber with a new number', async () => {
    const { user_id } = await subscribe(scheduler);
    const stop = { user_id, at: '2027-03-05T13:00:00.000Z', source: 'keyword' };
    await scheduler.receive('sms.recipient.opted_out', stop);
    const number = { user_id, opted_out: false, at: '2027-03-05T14:00:00.000Z' };
    await scheduler.receive('sms.recipient.number_changed', number);
    expect(await readNextText(user_id)).toMatchObject({ local_date: '2027-03-06' });
  });

  test('of a user known only from billing is being set up', async () => {
    const { user_id } = someSettings();
    const words = none("We're setting up your texts. Please check back in a minute.", null);
    expect(await readNextText(user_id)).toEqual(words);
    await scheduler.receive('billing.subscription.changed', aSubscription({ user_id }));
    expect(await readNextText(user_id)).toEqual(words);
  });

  test('is for the subscriber only', async () => {
    expect((await scheduler.call('GET', '/users/me/next-text', null)).statusCode).toBe(401);
    expect((await scheduler.call('GET', '/users/me/next-text', asAdmin('owner'))).statusCode).toBe(
      403,
    );
  });
});

test("after a manual send used today's date, the next text is tomorrow's", async () => {
  await scheduler.goTo('2027-03-06T15:00:00Z');
  const { user_id } = await subscribe(scheduler, { delivery_hour: 18 });
  const message = aMessage();
  await scheduler.receive('content.message.scheduled', message);
  const url = `/admin/scheduled-messages/${message.id}/send-now`;
  await scheduler.call('POST', url, asAdmin('operator'), {});
  const [text] = await scheduler.texts();
  const tomorrow = { local_date: '2027-03-07', next_text_at: '2027-03-07T23:00:00.000Z' };
  expect(await readNextText(user_id)).toMatchObject(tomorrow);
  await scheduler.answer(text!, 'accepted');
  expect(await readNextText(user_id)).toMatchObject(tomorrow);
});
