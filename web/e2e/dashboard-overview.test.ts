import { dayMs } from '@daylift/clock/durations';
import { NextText } from '@daylift/contracts/scheduler.http';
import { Calendar, History, UserAnalytics } from '@daylift/contracts/sms.http';
import { formatLocalDate } from '@daylift/ui/formats';
import { describe, expect, test } from 'vitest';
import { aMessage, aSubscription, someFigures } from './answers.ts';
import {
  answer,
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  mockCalls,
  narrow,
  type Page,
  press,
  returnAfterMinute,
  see,
  useDashboard,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;

const { open } = useDashboard(pages);
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const seeIn = (page: Page, name: string, words: string | RegExp) =>
  card(page, name).getByText(words).first().waitFor();

describe('The dashboard', () => {
  test('has five tabs that support arrow keys and survive a reload', async () => {
    const page = await open();
    const chosen = page.getByRole('tab', { selected: true });
    await page.getByRole('tab', { name: 'Overview' }).focus();
    for (const [name, heading] of [
      ['Plan', 'Invoices'],
      ['Settings', 'Profile & Delivery Settings'],
      ['Support', 'Contact Support'],
      ['Referrals', 'Get 1 Week Free!'],
      ['Overview', 'Recent Messages'],
    ] as const) {
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tabpanel').getByText(heading).first().waitFor();
      await expect.poll(() => chosen.textContent()).toBe(name);
      await expect.poll(() => page.locator(':focus').textContent()).toBe(name);
    }
    await page.keyboard.press('ArrowLeft');
    await see(page, 'Get 1 Week Free!');
    await page.reload();
    await see(page, 'Get 1 Week Free!');
    expect(await page.getByRole('tab').allTextContents()).toEqual([
      'Overview',
      'Plan',
      'Settings',
      'Support',
      'Referrals',
    ]);
  });
});

describe('The overview', () => {
  test("shows texts, streak and the next text in the subscriber's zone, accessible down to 320 px", async () => {
    let figures = someFigures();
    const streak = { streak_days: 3, streak_unit: 'texts' } as const;
    const next = {
      next_text_at: '2027-04-06T13:00:00.000Z',
      local_date: '2027-04-06',
      timezone: 'Europe/Berlin',
      reason: null,
    };
    const page = await open({
      viewport: narrow,
      prepare: async (blank) => {
        await answer(blank, '/users/me/analytics', UserAnalytics, () => figures);
        await answer(blank, '/users/me/sms-history', History, () => [aMessage(1), aMessage(2)]);
        await answer(blank, '/users/me/next-text', NextText, () => next);
        await answer(blank, '/users/me/calendar', Calendar, () => ({
          ...{ month: '2027-04', today: '2027-04-05', days: [], first_month: '2027-03' },
          ...streak,
        }));
      },
    });
    await seeIn(page, 'Total Messages', '1,234');
    await seeIn(page, 'This Week', '5');
    await seeIn(page, 'Current Streak', '12');
    await seeIn(page, 'Recent Messages', 'Text number 1');
    await seeIn(page, 'Next text', 'Tuesday, April 6 at 3:00 PM');
    await seeIn(page, 'Next text', 'Berlin time');
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    // A weekly streak is counted in texts.
    figures = { ...figures, ...streak };
    await page.setViewportSize(desktop);
    await returnAfterMinute(page);
    await seeIn(page, 'Current Streak', 'texts in a row');
    await seeIn(page, 'Your Days', 'Your streak: 3 texts in a row.');
  });

  test('of a new subscriber shows zeros, with what is coming in words', async () => {
    const page = await open({ viewport: narrow });
    for (const figure of ['Total Messages', 'This Week', 'Current Streak'])
      await card(page, figure).getByText('0', { exact: true }).waitFor();
    await seeIn(page, 'Recent Messages', 'No messages yet');
    await seeIn(page, 'Recent Messages', 'Your daily motivational messages will appear here');
    await seeIn(page, 'Your Days', 'Your streak begins with your next text.');
    const tomorrow = new Date((await product.now()).getTime() + dayMs);
    const day = new Intl.DateTimeFormat('en-US', {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      timeZone: 'America/New_York',
    }).format(tomorrow);
    await seeIn(page, 'Next text', `${day} at 9:00 AM`);
    await seeIn(page, 'Next text', 'New York time');
    await seeIn(page, 'Next text', 'Your first text');
    await seeIn(page, 'Next text', 'Then every day at the same time.');
    for (const empty of ["Today's text", 'All Messages'])
      await expect.poll(() => card(page, empty).count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
  });

  test('shows empty states when calls fail, and fills each card on retry', async () => {
    const restores: (() => void)[] = [];
    const page = await open({
      viewport: narrow,
      expectComplaints: failedCall,
      prepare: async (blank) => {
        await answer(blank, '/users/me/analytics', UserAnalytics, someFigures);
        await answer(blank, '/users/me/sms-history', History, () => [aMessage(1)]);
        for (const path of ['subscription', 'sms-history', 'analytics', 'next-text'])
          restores.push(await failCalls(blank, 'GET', `/users/me/${path}`));
        restores.push(await failCalls(blank, 'GET', '/users/me/calendar'));
      },
    });
    await seeIn(page, 'Recent Messages', 'No messages yet');
    await seeIn(page, 'Total Messages', '0');
    await seeIn(page, 'Subscription Status', 'No subscription yet');
    const retries = page.getByRole('button', { name: 'Try again' });
    await expect.poll(() => retries.count(), { timeout: 20_000 }).toBe(5);
    await expect.poll(() => page.getByText('internal words').count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    for (const restore of restores) restore();
    for (let left = 5; left > 0; left -= 1) {
      await retries.first().click();
      await expect.poll(() => retries.count()).toBe(left - 1);
    }
    await seeIn(page, 'Total Messages', '1,234');
    await seeIn(page, 'Recent Messages', 'Text number 1');
    for (const words of ['Free Trial', 'Monthly']) await seeIn(page, 'Subscription Status', words);
    await seeIn(page, 'Your Days', 'Your streak begins with your next text.');
    await seeIn(page, 'Next text', /at 9:00 AM/);
  });
});

describe('Subscription Status', () => {
  const upgrade = (page: Page) => page.getByRole('link', { name: 'Upgrade to Full Plan' });

  test('shows each status in its color, and leads a trial to the full plan and its price', async () => {
    let subscription: object = aSubscription({ status: 'active', plan: 'yearly' });
    const page = await open({
      prepare: (blank) =>
        mockCalls(blank, '/users/me/subscription', () => ({ json: subscription })),
    });
    const status = card(page, 'Subscription Status');
    const seeBadge = async (label: string, tone: string) => {
      const badge = status.getByText(label, { exact: true });
      await badge.waitFor();
      expect(await badge.getAttribute('data-tone'), label).toBe(tone);
    };
    await seeBadge('Active Subscription', 'green');
    await seeIn(page, 'Subscription Status', 'Yearly');
    for (const [next, label, tone] of [
      ['expired', 'Expired', 'red'],
      ['canceled', 'Canceled', 'red'],
      ['pending', 'pending', 'grey'],
      ['past_due', 'past_due', 'grey'],
      ['an unknown one', 'an unknown one', 'grey'],
    ] as const) {
      subscription = { ...subscription, status: next };
      await returnAfterMinute(page);
      await seeBadge(label, tone);
      expect(await upgrade(page).count()).toBe(0);
      expect(await status.getByText('Trial ends').count()).toBe(0);
    }
    subscription = aSubscription({ trial_end_date: '2027-04-08T03:30:00.000Z' });
    await returnAfterMinute(page);
    await seeBadge('Free Trial', 'yellow');
    for (const words of ['Monthly', 'Apr 7, 2027', 'Enabled'])
      await seeIn(page, 'Subscription Status', words);
    expect(await upgrade(page).getAttribute('href')).toBe('/signup?plan=monthly');
    await upgrade(page).click();
    await page.getByRole('heading', { level: 1, name: 'Upgrade to the full plan' }).waitFor();
    await page.getByRole('button', { name: 'Upgrade and Pay $4.99' }).waitFor();
    await expectNoBarriers(page);
  });

  test('says when SMS delivery is disabled or paused, and leads back to texts', async () => {
    const person = await pages.subscriber();
    await product.api('POST', '/users/me/toggle-delivery?enable=false', undefined, person.token);
    const page = await open({ as: person });
    await seeIn(page, 'Subscription Status', 'Disabled');
    await seeIn(page, 'Next text', 'SMS delivery is disabled. Enable it in your settings.');
    await card(page, 'Next text').getByRole('link', { name: 'Open Settings' }).click();
    await page.getByRole('tabpanel').and(page.locator(':focus')).waitFor();
    await press(page, 'Enable SMS delivery');
    await see(page, 'SMS delivery enabled successfully!');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await seeIn(page, 'Next text', /at 9:00 AM/);
    await seeIn(page, 'Subscription Status', 'Enabled');

    const paused_until = new Date((await product.now()).getTime() + 10 * dayMs)
      .toISOString()
      .slice(0, 10);
    await product.api('PUT', '/users/me', { paused_until }, person.token);
    const date = formatLocalDate(paused_until);
    await returnAfterMinute(page);
    await seeIn(page, 'Next text', `Your texts are paused until ${date}.`);
    await seeIn(page, 'Next text', /at 9:00 AM/);
    await seeIn(page, 'Subscription Status', `Paused until ${date}`);
    expect(await upgrade(page).getAttribute('data-look')).toBe('quiet');
    await card(page, 'Next text').getByRole('button', { name: 'Resume' }).click();
    await see(page, 'Your texts are back on.');
    await card(page, 'Next text').getByText('paused').waitFor({ state: 'detached' });
    await seeIn(page, 'Subscription Status', 'Enabled');
    await expect.poll(() => upgrade(page).getAttribute('data-look')).toBe('call');
    await expectNoBarriers(page);
  });
});

describe('The next text', () => {
  test('waits for a YES, can ask again, and appears once it came', async () => {
    const person = await pages.subscriber({ sms_consent: false });
    await product.settle();
    const before = (await product.texts(person.phone)).length;
    const page = await open({ as: person });
    await seeIn(page, 'Next text', /Reply YES to our text to start/);
    await expectNoBarriers(page);
    await press(page, 'Text Me Again');
    await card(page, 'Next text').getByRole('status').waitFor();
    // A number is asked at most once a minute.
    await product.advanceTo(new Date((await product.now()).getTime() + 61_000));
    expect(await product.texts(person.phone)).toHaveLength(before + 1);
    await product.reply(person.phone, 'YES');
    await seeIn(page, 'Next text', /at 9:00 AM/);
  });
});

test('A browser in another zone offers to change the time zone until dismissed', async () => {
  const person = await pages.subscriber();
  const page = await open({ as: person, timezoneId: 'Europe/Berlin' });
  const hint = card(page, 'Time zone');
  await hint.getByText(/You seem to be in Berlin time\./).waitFor();
  await expectNoBarriers(page);
  await press(page, 'Keep New York');
  await hint.waitFor({ state: 'detached' });
  await page.reload();
  await seeIn(page, 'Next text', 'New York time');
  expect(await hint.count()).toBe(0);
  await page.evaluate(() => localStorage.removeItem('travel_hint_dismissed'));
  await page.reload();
  await press(page, 'Change to Berlin');
  await see(page, 'Your texts now come in Berlin time.');
  await seeIn(page, 'Next text', 'Berlin time');
  await hint.waitFor({ state: 'detached' });
});
