import type { HistoryItem, UserAnalytics } from '@daylift/contracts/sms.http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDispatch, aSubscriber, asUser, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { analyse } from './streak.ts';

describe("a subscriber's figures", () => {
  const days = (...dates: string[]) => dates.map((local_date) => ({ local_date, count: 1 }));

  it.each([
    ['nothing yet', [], 0],
    ['today only', ['2027-03-09'], 1],
    ['up to yesterday: today’s is still to come', ['2027-03-07', '2027-03-08'], 2],
    ['up to the day before yesterday: broken', ['2027-03-06', '2027-03-07'], 0],
    ['a gap ends it', ['2027-03-05', '2027-03-07', '2027-03-08', '2027-03-09'], 3],
    ['over the end of a month', ['2027-02-28', '2027-03-01'], 0],
  ])('streak, %s', (_what, dates, streak) => {
    const today = { today: '2027-03-09', frequency: 'daily' } as const;
    expect(analyse(days(...dates), today)).toMatchObject({
      streak_days: streak,
      streak_unit: 'days',
    });
  });

  // The 9th is a Tuesday.
  it.each([
    ['of weekly texts counts texts', 'weekly', ['02-23', '03-02', '03-09'], 3],
    ["lasts until the week's text is overdue", 'weekly', ['02-23', '03-02'], 2],
    ['ends with a missed week', 'weekly', ['02-16', '02-23', '03-01'], 0],
    ['does not bridge a missed week', 'weekly', ['02-16', '03-02', '03-09'], 2],
    ['goes on after a change of weekday', 'weekly', ['02-25', '03-04', '03-08'], 3],
    ['goes on after a switch to weekly', 'weekly', ['03-01', '03-02', '03-03', '03-09'], 4],
    [
      'goes on after a switch to daily',
      'daily',
      ['02-16', '02-23', '03-02', '03-06', '03-07', '03-08'],
      6,
    ],
    ['waits for the first daily text after a switch', 'daily', ['02-16', '02-23', '03-02'], 3],
    [
      'does not bridge a day missed after a switch',
      'daily',
      ['02-16', '02-23', '03-02', '03-06', '03-08'],
      1,
    ],
    ['of daily texts ends with a missed day', 'daily', ['03-04', '03-05', '03-07', '03-08'], 2],
    ['of daily texts does not bridge six days', 'daily', ['02-27', '02-28', '03-07', '03-08'], 2],
  ] as const)('streak %s', (_what, frequency, dates, streak) => {
    const received = days(...dates.map((date) => `2027-${date}`));
    const figures = analyse(received, { today: '2027-03-09', frequency });
    expect(figures.streak_days).toBe(streak);
    const hasWeeks = frequency === 'weekly' || (dates[0] === '02-16' && streak > 1);
    expect(figures.streak_unit).toBe(hasWeeks ? 'texts' : 'days');
  });

  it('weeks start on Monday, months on the first, and the chart has thirty days', () => {
    // A Tuesday.
    const figures = analyse(
      [
        ...days('2027-02-27', '2027-03-01', '2027-03-07', '2027-03-08'),
        { local_date: '2027-03-09', count: 2 },
      ],
      { today: '2027-03-09', frequency: 'daily' },
    );
    expect(figures).toMatchObject({
      total_messages: 6,
      week_messages: 3,
      month_messages: 5,
      streak_days: 3,
    });
    expect(figures.daily_data).toHaveLength(30);
    expect(figures.daily_data.at(-1)).toEqual({ date: '2027-03-09', count: 2 });
    expect(figures.daily_data[0]).toEqual({ date: '2027-02-08', count: 0 });
  });
});

describe('a subscriber sees', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(() => harness.close());

  it("their own texts as sent, newest first; no one else's and no transactional ones", async () => {
    const me = await aSubscriber(harness, { timezone: 'Pacific/Auckland' });
    const other = await aSubscriber(harness);
    for (const [index, local_date] of ['2027-03-08', '2027-03-09', '2027-03-10'].entries()) {
      const dispatch = aDispatch(me, harness, {
        local_date,
        content: `Day ${index}, {{first_name}}`,
      });
      await release(harness, [dispatch]);
      await harness.send(dispatch.dispatch_id);
      await harness.reaches(dispatch.dispatch_id, 'delivered');
    }
    const others = aDispatch(other, harness);
    await release(harness, [others]);
    await harness.send(others.dispatch_id);
    await harness.sandbox.reply(me.phone, 'HELP');
    await harness.sendAllDue();
    const response = await harness.call({
      url: '/users/me/sms-history?limit=2',
      as: asUser(me.user_id),
    });
    expect(response.json<HistoryItem[]>()).toMatchObject([
      { message_content: 'Day 2, Ada', local_date: '2027-03-10', status: 'delivered' },
      { message_content: 'Day 1, Ada', local_date: '2027-03-09', status: 'delivered' },
    ]);
    const ofDay = await harness.call({
      url: '/users/me/sms-history?date=2027-03-09',
      as: asUser(me.user_id),
    });
    expect(ofDay.json<HistoryItem[]>()).toMatchObject([{ message_content: 'Day 1, Ada' }]);
    // 04:00 on the 10th in Auckland.
    const figures = await harness.call({ url: '/users/me/analytics', as: asUser(me.user_id) });
    expect(figures.json<UserAnalytics>()).toMatchObject({
      total_messages: 3,
      streak_days: 3,
      week_messages: 3,
    });
  });

  it('empty lists and zeros without texts, even for an unknown subscriber', async () => {
    const as = asUser(crypto.randomUUID());
    expect((await harness.call({ url: '/users/me/sms-history', as })).json()).toEqual([]);
    expect((await harness.call({ url: '/users/me/analytics', as })).json()).toMatchObject({
      total_messages: 0,
      streak_days: 0,
    });
  });
});
