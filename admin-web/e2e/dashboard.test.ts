import { LostDaySettings } from '@daylift/contracts/billing.http';
import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import type { Forecast } from '@daylift/contracts/forecast.http';
import type { AdminAnalytics } from '@daylift/contracts/gateway.http';
import { type DailyStats, DailyStatsList } from '@daylift/contracts/sms-operations.http';
import { formatDays } from '@daylift/ui/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  answer,
  desktop,
  expectNoBarriers,
  failCalls,
  failedCall,
  holdCalls,
  mockCalls,
  type Page,
  pageLink,
  phone,
  press,
  see,
  useAdminPages,
} from './harness.ts';
import { checkReach } from './reach.ts';

const { admin, openAdmin, owner, product, sendAnnouncement, subscriber } = useAdminPages();
beforeAll(async () => {
  await subscriber();
});

const read = async <T>(path: string): Promise<T> =>
  (await product.api<T>('GET', path, undefined, owner())).body;
const figures = () => read<AdminAnalytics>('/admin/analytics');
const todays = async () => (await figures()).scheduled_messages.todays_message;
const card = (page: Page, label: string) =>
  page.locator('.mantine-Card-root:not(section)').filter({ hasText: label });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rateOf = ({ success_rate, total_sent }: AdminAnalytics['sms']) =>
  total_sent === 0 ? 'None yet' : `${Math.round(success_rate * 10) / 10}%`;
/** `$1.20` */
const inCents = (value: number) =>
  value > 0 && value < 0.005 ? 'less than $0.01' : `$${value.toFixed(2)}`;
const count = (value: number) => value.toLocaleString('en-US');
const counted = (value: number, one: string) => `${count(value)} ${one}${value === 1 ? '' : 's'}`;

async function aDayWithoutMessage(): Promise<string> {
  if ((await todays()).is_sent) await product.advance(24, 12);
  const { exists, id, date } = await todays();
  if (exists) await product.api('DELETE', `/admin/scheduled-messages/${id}`, undefined, owner());
  return date;
}

describe('The numbers', () => {
  it('match the API, and update live without calls of their own', async () => {
    const page = await openAdmin('/admin/dashboard');
    await page.getByText('Live', { exact: true }).waitFor();
    await card(page, 'Total Users').waitFor();
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    const before = await figures();
    await subscriber();
    await sendAnnouncement();
    await product.settle();
    const all = await figures();
    expect(all.sms.successful).toBeGreaterThan(before.sms.successful);
    const credits = await read<LostDaySettings>('/admin/settings/lost-days');
    await card(page, 'Total Users').getByText(count(all.users.active), { exact: true }).waitFor();
    const expected: [string, string][] = [
      ['Total Users', `active, of ${counted(all.users.total, 'account')}`],
      ['Active Subs', count(all.subscriptions.trial)],
      ['Active Subs', `on trial, and ${count(all.subscriptions.active)} paying`],
      ['Scheduled', `of ${counted(all.scheduled_messages.total, 'message')}`],
      ['SMS Rate', rateOf(all.sms)],
      [
        'SMS Rate',
        `${count(all.sms.successful)} / ${count(all.sms.total_sent)} sent; daily texts and announcements`,
      ],
      ['Transactions', count(all.revenue.transactions)],
      ['Total Revenue', `$${all.revenue.total.toFixed(2)}`],
      ['Templates', `${count(all.templates.active)} / ${count(all.templates.total)}`],
      ['Pending Scheduled', count(all.scheduled_messages.pending)],
      ['SMS Sent', count(all.sms.total_sent)],
    ];
    const days = await read<SubscriptionDay[]>('/admin/subscriptions/figures?days=30');
    const paid = days.reduce((sum, day) => sum + day.converted, 0);
    const left = days.reduce((sum, day) => sum + day.paid_churned, 0);
    const paying = all.subscriptions.active;
    expected.push(
      ['Paying Subscribers', count(paying)],
      ['Paying Subscribers', `and ${count(all.subscriptions.trial)} on trial`],
      ['Churn', `${count(left)} of ${counted(paying + left, 'paying subscriber')} lost in 30 days`],
      [
        'SMS Cost',
        `in 30 days, ${inCents(all.sms.total_cost)} in total; excludes welcome texts, codes and replies`,
      ],
      ['Delivery Credits', `for ${formatDays(credits.this_month.days)} without a text this month`],
    );
    await card(page, 'Trial to Paid')
      .getByText(`${count(paid)} paid of `)
      .waitFor();
    for (const [label, value] of expected)
      await card(page, label).first().getByText(value, { exact: true }).first().waitFor();
    expect(calls).not.toContain('/api/admin/analytics');
  });

  it('and charts that fail to load say so, leave the rest, and can be retried', async () => {
    const warnings: string[] = [];
    let restore = () => {};
    const page = await openAdmin('/admin/dashboard', {
      expectComplaints: failedCall,
      prepare: async (one) => {
        one.on('console', (message) => warnings.push(message.text()));
        await mockCalls(one, '/admin/live', () => 'lost');
        await failCalls(one, 'GET', '/admin/rehearsal');
        restore = await failCalls(one, 'GET', '/admin/analytics');
      },
    });
    await see(page, "We couldn't load this. Please try again.");
    expect(warnings.join('\n')).toContain('internal words');
    restore();
    await press(page, 'Try again');
    await card(page, 'Total Users').waitFor();
    await section(page, 'Next 24 Hours').getByRole('button', { name: 'Try again' }).waitFor();
    await section(page, 'Texts per Day').getByText('Show as table').waitFor();
  });
});

it('lists first what needs attention, with links to fix it', async () => {
  const settings = '/admin/settings/alert-email';
  const alerts = (email: string) =>
    product.api('POST', settings, { email, enabled: email !== '' }, owner());
  await alerts('');
  const page = await openAdmin('/admin/dashboard');
  const strip = page.getByRole('region', { name: 'Needs attention' });
  const notice = strip.getByRole('link', { name: 'Failure alerts have no email address' });
  await notice.click();
  await see(page, 'Alert Settings');
  await page.getByLabel('Alert email').fill('ops@example.com');
  await press(page, 'Save alert settings');
  await see(page, 'Alert settings saved.');
  await pageLink(page, 'Dashboard').click();
  await strip.or(card(page, 'Total Users')).first().waitFor();
  await notice.waitFor({ state: 'detached' });
  await alerts('');
});

describe("today's message", () => {
  it('is scheduled here with its date filled in, sent after a confirmation, and shown as sent', async () => {
    const date = await aDayWithoutMessage();
    const page = await openAdmin('/admin/dashboard', { expectComplaints: failedCall });
    const today = section(page, "Today's Message Status");
    await today.getByText('No message is scheduled for today.').waitFor();
    await today.getByRole('link', { name: "Schedule Today's Message" }).click();
    await expect
      .poll(() => page.getByLabel('Date', { exact: false }).first().inputValue())
      .toBe(date);
    await page.getByLabel('Title').first().fill('A quiet morning');
    await page.getByLabel('Content').first().fill('Breathe in, {{first_name}}.');
    await press(page, 'Schedule Message');
    await see(page, /"A quiet morning" is scheduled for/);

    await pageLink(page, 'Dashboard').click();
    await today.getByText('A quiet morning').waitFor();
    await today.getByText('Pending').waitFor();
    await today.getByText("Sent at each subscriber's chosen hour").waitFor();
    await today.getByText('Breathe in, {{first_name}}.').waitFor();
    await today.getByText(/, 20\d\d, New York time$/).waitFor();
    await today.getByText(/^\d+ of \d+ sent, .*\d+ to come$/).waitFor();
    const restore = await failCalls(page, 'POST', '/admin/send-todays-message');
    await today.getByRole('button', { name: 'Send Now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/This sends A quiet morning to/).waitFor();
    await dialog.getByRole('button', { name: 'Send Now' }).click();
    await dialog.getByText("Error sending today's message. internal words").waitFor();
    expect((await todays()).is_sent).toBe(false);
    restore();
    await dialog.getByRole('button', { name: 'Send Now' }).click();
    await see(page, /"A quiet morning": .* reached/);
    await today.getByText('Sent', { exact: true }).waitFor();
    await expect.poll(() => today.getByRole('button').count()).toBe(0);
  });

  it('is read-only for a viewer', async () => {
    const page = await openAdmin('/admin/dashboard', { token: await admin('viewer') });
    const today = section(page, "Today's Message Status");
    await today.getByText('You have view-only access.').waitFor();
    await expect.poll(() => today.getByRole('button').count()).toBe(0);
    await expect.poll(() => today.getByRole('link').count()).toBe(0);
  });
});

describe('The charts', () => {
  const open = async (page: Page, name: string) => {
    await section(page, name).getByText('Show as table').click();
    return section(page, name).getByRole('table').getByRole('row');
  };

  it("have summaries and tables with the API's figures, from the current hour, for the range and comparison in the URL", async () => {
    const page = await openAdmin('/admin/dashboard');
    const load = await open(page, 'Next 24 Hours');
    await expect.poll(() => load.count()).toBe(24 + 1);
    // The Forecast page shows the same figures.
    await expect
      .poll(async () => {
        const { hours } = await read<Forecast>('/admin/rehearsal?hours=24');
        const texts = hours.reduce((sum, hour) => sum + hour.people, 0);
        return section(page, 'Next 24 Hours')
          .getByText(texts === 0 ? 'No texts in' : `${count(texts)} text`)
          .count();
      })
      .toBeGreaterThan(0);
    await product.advance(3, 12);
    const hour = new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      hour: 'numeric',
    }).format(await product.now());
    await load.nth(1).getByText(hour.replace(' ', ':00 ')).waitFor();

    const texts = await open(page, 'Texts per Day');
    await expect.poll(() => texts.count()).toBe(30 + 1);
    const rates = await open(page, 'Delivery Rate');
    await expect.poll(() => rates.count()).toBe(30 + 1);
    const trials = await open(page, 'Trials and Conversions');
    const { trials_started = -1 } =
      (await read<SubscriptionDay[]>('/admin/subscriptions/figures?days=30')).at(-1) ?? {};
    expect(trials_started).toBeGreaterThan(0);
    await trials.last().getByText(count(trials_started), { exact: true }).first().waitFor();

    const held = await holdCalls(page, 'GET', '/admin/sms-stats/daily');
    await page.getByText('7 days', { exact: true }).click();
    await expect.poll(() => held.count).toBeGreaterThan(0);
    expect(await texts.count()).toBe(30 + 1);
    held.release();
    await expect.poll(() => texts.count()).toBe(7 + 1);
    await page.getByText('Compare with the period before').click();
    for (const name of ['Texts per Day', 'Delivery Rate', 'Trials and Conversions'])
      await section(page, name)
        .getByText(/ in the 7 days before\.$/)
        .first()
        .waitFor();
    await section(page, 'Trials and Conversions')
      .getByText(
        /^Trials started: \d+, (up from|the same as|\d+% (more|fewer) than) \d+ in the 7 days/,
      )
      .waitFor();
    await expectNoBarriers(page);
    await page.reload();
    await open(page, 'Texts per Day');
    await expect.poll(() => texts.count()).toBe(7 + 1);
    await page.getByText('13 weeks', { exact: true }).click();
    await expect.poll(() => texts.count()).toBe(91 + 1);
    await open(page, 'Trials and Conversions');
    await expect.poll(() => trials.count()).toBe(13 + 1);
    await section(page, 'Delivery Rate')
      .getByText(/ in the 13 weeks before\.$/)
      .waitFor();
    expect(new URL(page.url()).search).toBe('?days=91&compare=before');
  });

  it('have a visible bar for every count, whole ticks, and labels at even distances; with large numbers, everything is reachable on every screen', async () => {
    const days = (await read<DailyStats[]>('/admin/sms-stats/daily?days=60')).map((day) => ({
      ...day,
      delivered: 9_000,
      sent: 0,
      failed: 1,
      unknown: 1,
      missed: 0,
    }));
    const all = await figures();
    const revenue = { ...all.revenue, total_cents: 1_234_567_890, transactions: 2_470_000 };
    const credits = await read<LostDaySettings>('/admin/settings/lost-days');
    const others = [{ currency: 'gbp' as const, credit_cents: 950 }];
    const this_month = { days: 1234, credit_cents: 21_055, currency: 'usd' as const, others };
    const page = await openAdmin('/admin/dashboard', {
      expectComplaints: failedCall,
      prepare: async (one) => {
        await mockCalls(one, '/admin/live', () => 'lost');
        await mockCalls(one, '/admin/analytics', () => ({ json: { ...all, revenue } }));
        await answer(one, '/admin/sms-stats/daily', DailyStatsList, () => days);
        const path = '/admin/settings/lost-days';
        await answer(one, path, LostDaySettings, () => ({ ...credits, this_month }));
      },
    });
    await see(page, 'for 1,234 days without a text this month');
    await see(page, '$210.55 + £9.50');
    const large = card(page, 'Total Revenue').getByText('$12,345,678.90');
    const chart = section(page, 'Texts per Day').locator('svg.recharts-surface').first();
    const bars = chart.locator('.recharts-bar-rectangle path');
    await section(page, 'Next 24 Hours').locator('svg').first().waitFor();
    await checkReach(page, 'Active Subs', async (width) => {
      const isWhole = (one: Element) => one.scrollWidth <= one.clientWidth && one.clientHeight < 40;
      expect(await large.evaluate(isWhole)).toBe(true);
      if (width !== desktop.width && width !== phone.width) return;
      await expect.poll(() => bars.count()).toBe(3 * 30);
      const lowest = () =>
        bars.evaluateAll((all) =>
          Math.min(...all.map((bar) => bar.getBoundingClientRect().height)),
        );
      // The chart is drawn again once its width is known.
      await expect.poll(lowest).toBeGreaterThan(2);
      const labels = chart.locator('.recharts-xAxis-tick-labels text');
      const distances = async () => {
        const places = await labels.evaluateAll((all) =>
          all.map((label) => {
            const { left, width } = label.getBoundingClientRect();
            return left + width / 2;
          }),
        );
        return places.slice(1).map((at, place) => at - (places[place] ?? 0));
      };
      await expect.poll(async () => (await distances()).length).toBeGreaterThan(2);
      const gaps = await distances();
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(1.5);
      const ticks = await chart.locator('.recharts-yAxis-tick-labels text').allTextContents();
      expect(ticks).toEqual(['0', '5K', '10K']);
    });
    await page.setViewportSize(phone);
    await expectNoBarriers(page);
  });
});
