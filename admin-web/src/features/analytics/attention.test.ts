import { expect, test } from 'vitest';
import { needsAttention } from './attention.ts';

const library = { active: 120, days_without_message: 60, is_enough: true };
const aDay = (daily: object | null) => ({ date: '2027-04-05', daily, announcements: [] }) as never;

const aDispute = {
  id: 'du_1',
  user_id: 'someone',
  amount_cents: 499,
  currency: 'usd',
  state: 'open' as const,
  reason: 'fraudulent',
  created_at: '2027-04-05T12:00:00Z',
  respond_by: '2027-04-14T12:00:00Z',
};

test('nothing is shown when everything is in order or not loaded yet', () => {
  expect(needsAttention({})).toEqual([]);
  expect(
    needsAttention({
      freeze: { frozen: false, provider: null },
      testingMode: false,
      alerts: { alert_email: 'ops@example.com' },
      isInDistress: false,
      openConversations: 0,
      failedEvents: 0,
      texts: { failed: 0, unknown: 0, date: '2027-04-05' },
      disputes: [],
      calendar: { days: Array.from({ length: 7 }, () => aDay({})), library },
    }),
  ).toEqual([]);
});

test('each problem leads to where it is fixed, urgent ones first', () => {
  const shown = needsAttention({
    freeze: { frozen: true, provider: null },
    testingMode: true,
    alerts: { alert_email: '' },
    isInDistress: true,
    openConversations: 1,
    failedEvents: 2,
    heldBatches: 1,
    texts: { failed: 3, unknown: 1, date: '2027-04-05' },
    disputes: [aDispute],
    calendar: { days: [aDay(null), aDay({}), aDay(null)], library },
  });
  expect(shown.map(({ words, to }) => [words, to])).toEqual([
    ['Someone may be in danger: read their message', '/admin/inbox'],
    ['Sending is frozen', '#frozen'],
    ['Testing mode is on: subscribers get no texts', '/admin/settings/testing-mode'],
    ['1 batch is held', '/admin/sms-system/batches'],
    ['3 texts failed today', '/admin/sms-system/delivery-log?status=failed&from=2027-04-05'],
    [
      '1 text today has an unknown outcome',
      '/admin/sms-system/delivery-log?status=unknown&from=2027-04-05',
    ],
    ['2 failed events', '/admin/failed-events'],
    ['A payment of $4.99 is disputed: respond by Apr 14, 2027', '/admin/subscribers/someone'],
    ['1 open conversation', '/admin/inbox'],
    ['2 of the next 7 days have no message', '/admin/messages/calendar'],
    ['Failure alerts have no email address', '/admin/settings/alerts'],
  ]);
});

test('a library that runs out is urgent', () => {
  const calendar = { days: [aDay(null)], library: { ...library, is_enough: false } };
  expect(needsAttention({ calendar })).toEqual([
    {
      words: 'The library is too small for 60 days without a message',
      to: '/admin/messages/library',
      isUrgent: true,
    },
  ]);
});

test('a category that runs out within two weeks is shown, and is urgent for the last two days', () => {
  const categories = [0, 2, 7, 14, 15, null].map((days) => ({
    category: `lasting ${days}`,
    active: 1,
    days,
  }));
  expect(
    needsAttention({ runway: { categories } }).map(({ words, isUrgent }) => [words, isUrgent]),
  ).toEqual([
    ['Library texts in "lasting 2" run out in 2 days', true],
    ['Library texts in "lasting 7" run out in 7 days', false],
    ['Library texts in "lasting 14" run out in 14 days', false],
  ]);
});

test('several disputes lead to the most urgent one', () => {
  const disputes = [{ ...aDispute, user_id: null }, aDispute];
  expect(needsAttention({ disputes }).map(({ words, to }) => [words, to])).toEqual([
    ['2 payments are disputed: respond to the first by Apr 14, 2027', '/admin/subscribers'],
  ]);
});
