import { randomUUID } from 'node:crypto';
import type { Calendar, HistoryItem, UserAnalytics } from '@daylift/contracts/sms.http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSubscriber, asUser, pastTexts } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { newTextId } from '../texts/text-ids.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const readOwn = (userId: string, path: string) =>
  harness.call({ url: `/users/me/${path}`, as: asUser(userId) });
const history = async (userId: string, query: Record<string, string | number> = {}) => {
  const words = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
  return (await readOwn(userId, `sms-history?${words}`)).json<HistoryItem[]>();
};
const day = (back: number) =>
  Temporal.PlainDate.from('2027-03-09').subtract({ days: back }).toString();

describe('the full history', () => {
  it('pages without gaps or repetitions, over years and while texts arrive', async () => {
    const me = randomUUID();
    // Two on each date at the same second, and a year without any in between.
    const dates = Array.from({ length: 30 }, (_unused, index) =>
      day(index < 20 ? index : index + 400),
    );
    const ids = await pastTexts(
      harness.db,
      me,
      dates.flatMap((local_date) => [
        { local_date },
        { local_date, kind: 'announcement' as const },
      ]),
    );
    await pastTexts(
      harness.db,
      randomUUID(),
      dates.map((local_date) => ({ local_date })),
    );
    const read: HistoryItem[] = [];
    for (;;) {
      const before = read.at(-1)?.id;
      const page = await history(me, { limit: 7, ...(before === undefined ? {} : { before }) });
      read.push(...page);
      if (read.length === 7) await pastTexts(harness.db, me, [{ local_date: day(-1) }]);
      if (page.length < 7) break;
    }
    expect(read.map(({ id }) => id).sort()).toEqual(ids.sort());
    const order = read.map(({ local_date }) => local_date);
    expect(order).toEqual(order.toSorted().reverse());
  });

  it("is searched literally and case-insensitively, in the user's own texts only", async () => {
    const me = randomUUID();
    const contents = ['Give 100% today', 'Élan_vital', 'Give 1000 today', 'A \\ b', 'it’s'];
    const texts = contents.map((content, index) => ({ content, local_date: day(index * 40) }));
    await pastTexts(harness.db, me, texts);
    await pastTexts(harness.db, randomUUID(), texts);
    // Searches the text as sent, including the name.
    await pastTexts(harness.db, me, [
      { local_date: day(1), content: 'Hi {{first_name}}', body: 'Hi Ada' },
    ]);
    const found = async (search: string) =>
      (await history(me, { search })).map(({ message_content }) => message_content);
    expect(await found('GIVE')).toEqual(['Give 100% today', 'Give 1000 today']);
    expect(await found('0% t')).toEqual(['Give 100% today']);
    expect(await found('élan_')).toEqual(['Élan_vital']);
    expect(await found('_')).toEqual(['Élan_vital']);
    expect(await found('%')).toEqual(['Give 100% today']);
    expect(await found('\\')).toEqual(['A \\ b']);
    expect(await found("'; drop table texts; --")).toEqual([]);
    expect(await found('ada')).toEqual(['Hi Ada']);
    expect(await found('first_name')).toEqual([]);
    const [first] = await history(me, { search: 'give', limit: 1 });
    expect(await history(me, { search: 'give', before: first!.id })).toMatchObject([
      { message_content: 'Give 1000 today' },
    ]);
  });

  it("rejects cursors that aren't in it", async () => {
    const me = await aSubscriber(harness);
    const [others] = await pastTexts(harness.db, randomUUID(), [{ local_date: day(1) }]);
    const nonsense = ['x', others!, newTextId(day(1)), `99999999-${'0'.repeat(32)}`];
    for (const before of [...nonsense, `00000101-${'0'.repeat(32)}`]) {
      const response = await readOwn(
        me.user_id,
        `sms-history?before=${encodeURIComponent(before)}`,
      );
      expect(response.statusCode).toBe(400);
    }
    for (const query of ['search=', `search=${'x'.repeat(101)}`, 'limit=0', 'limit=101'])
      expect((await readOwn(me.user_id, `sms-history?${query}`)).statusCode).toBe(400);
  });
});

describe('the kind of a text', () => {
  it('tells an announcement from the daily text', async () => {
    const me = randomUUID();
    await pastTexts(harness.db, me, [
      { local_date: day(0) },
      { local_date: day(0), kind: 'announcement', handed_at: new Date('2027-03-09T14:30:00Z') },
    ]);
    expect((await history(me)).map(({ kind }) => kind)).toEqual(['announcement', 'daily']);
  });
});

describe('the calendar', () => {
  it('marks daily texts that were never sent, unless the subscriber ended them', async () => {
    const me = await aSubscriber(harness);
    const unsent = { handed_at: null, provider_id: null };
    await pastTexts(harness.db, me.user_id, [
      { local_date: day(1), state: 'missed', reason: 'frozen_skipped', ...unsent },
      { local_date: day(2), state: 'refused', reason: 'provider_error', ...unsent },
      { local_date: day(3), state: 'skipped', reason: 'opted_out', ...unsent },
      { local_date: day(4), state: 'missed', kind: 'announcement', ...unsent },
      { local_date: day(5), state: 'missed', is_test: true, ...unsent },
    ]);
    expect((await readOwn(me.user_id, 'calendar')).json<Calendar>().days).toEqual([
      { date: day(2), status: 'failed', in_streak: false },
      { date: day(1), status: 'failed', in_streak: false },
    ]);
    expect(await history(me.user_id)).toEqual([]);
  });

  it("shows each day's best outcome in a month, with the same streak as the figures", async () => {
    const me = await aSubscriber(harness);
    // Today's is still to come; the streak spans months and more than one query.
    await pastTexts(harness.db, me.user_id, [
      ...Array.from({ length: 45 }, (_unused, index) => ({ local_date: day(index + 1) })),
      { local_date: day(3), kind: 'announcement', state: 'failed' },
      { local_date: day(50), state: 'failed' },
      { local_date: day(51), state: 'unknown' },
      { local_date: day(51), state: 'failed', kind: 'announcement' },
      { local_date: day(52), state: 'sent' },
      { local_date: day(400) },
      { local_date: day(401), is_test: true },
      { local_date: day(402), kind: 'welcome' },
    ]);
    const march = (await readOwn(me.user_id, 'calendar')).json<Calendar>();
    expect(march).toMatchObject({ month: '2027-03', today: '2027-03-09', first_month: '2026-02' });
    expect(march.days).toHaveLength(8);
    expect(march.days.every((one) => one.in_streak && one.status === 'delivered')).toBe(true);
    const january = (await readOwn(me.user_id, 'calendar?month=2027-01')).json<Calendar>();
    expect(january.days).toEqual([
      { date: '2027-01-16', status: 'sent', in_streak: false },
      { date: '2027-01-17', status: 'unknown', in_streak: false },
      { date: '2027-01-18', status: 'failed', in_streak: false },
      ...Array.from({ length: 9 }, (_unused, index) => ({
        date: `2027-01-${index + 23}`,
        status: 'delivered',
        in_streak: true,
      })),
    ]);
    const figures = (await readOwn(me.user_id, 'analytics')).json<UserAnalytics>();
    expect([march.streak_days, january.streak_days]).toEqual([45, 45]);
    expect(figures.streak_days).toBe(45);
  });

  it('keeps a streak whose last text has tomorrow’s date after a move west', async () => {
    // The text of the 10th came in Auckland; in Chicago it is still the 9th.
    const me = await aSubscriber(harness, { timezone: 'America/Chicago' });
    await pastTexts(
      harness.db,
      me.user_id,
      [-1, 0, 1].map((back) => ({ local_date: day(back) })),
    );
    const march = (await readOwn(me.user_id, 'calendar')).json<Calendar>();
    expect(march.today).toBe('2027-03-09');
    expect(march.days.map(({ in_streak }) => in_streak)).toEqual([true, true, true]);
    for (const path of ['calendar', 'analytics'])
      expect((await readOwn(me.user_id, path)).json()).toMatchObject({
        streak_days: 3,
        streak_unit: 'days',
      });
  });

  it('counts the texts of a weekly streak, as the figures do', async () => {
    const me = await aSubscriber(harness, { frequency: 'weekly', weekday: 2 });
    // Takes several queries; the first one ends between two texts.
    const weeks = Array.from({ length: 9 }, (_unused, index) => ({
      local_date: day(index * 7 + 2),
    }));
    await pastTexts(harness.db, me.user_id, [...weeks, { local_date: day(80) }]);
    const march = (await readOwn(me.user_id, 'calendar')).json<Calendar>();
    expect(march.days).toEqual([{ date: '2027-03-07', status: 'delivered', in_streak: true }]);
    for (const path of ['calendar', 'analytics'])
      expect((await readOwn(me.user_id, path)).json()).toMatchObject({
        streak_days: 9,
        streak_unit: 'texts',
      });
  });

  it('is empty without texts, and rejects invalid months', async () => {
    const { user_id } = await aSubscriber(harness, { timezone: 'Pacific/Auckland' });
    expect((await readOwn(user_id, 'calendar')).json()).toEqual({
      month: '2027-03',
      today: '2027-03-10',
      days: [],
      streak_days: 0,
      streak_unit: 'days',
      first_month: null,
    });
    for (const month of ['2027-13', '2027-3', '0000-01', 'x', ''])
      expect((await readOwn(user_id, `calendar?month=${month}`)).statusCode).toBe(400);
    expect((await harness.call({ url: '/users/me/calendar' })).statusCode).toBe(401);
  });
});
