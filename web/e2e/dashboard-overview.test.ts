import { dayMs } from '@daylift/clock/durations';
import { UserSubscription } from '@daylift/contracts/billing.http';
import { NextText } from '@daylift/contracts/scheduler.http';
import { Calendar, History, UserAnalytics } from '@daylift/contracts/sms.http';
import { formatLocalDate } from '@daylift/ui/formats';
import { describe, expect, test } from 'vitest';
import { aMessage, aSubscription, someFigures } from './answers.ts';
import {
  answer,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  mockCalls,
  narrow,
  type Page,
  press,
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
const storedToken = (page: Page) => page.evaluate(() => window.localStorage.getItem('user_token'));

describe('The dashboard', () => {
  test('shows a loading state, and then greets by name', async () => {
    let held = { count: 0, release: () => {} };
    const page = await open({
      prepare: async (blank) => {
        held = await holdCalls(blank, 'GET', '/users/me');
      },
    });
    await page.getByRole('status').getByText('Loading your dashboard...').waitFor();
    await expectNoBarriers(page);
    held.release();
    await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
    await expect.poll(() => page.getByText('Loading your dashboard...').count()).toBe(0);
  });

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

  test('redirects a missing or invalid token to the login', async () => {
    const stranger = await pages.open('/dashboard');
    await stranger.waitForURL(/\/login$/);
    const page = await open({ as: { token: 'worthless' }, expectComplaints: failedCall });
    await page.waitForURL(/\/login$/);
    expect(await storedToken(page)).toBeNull();
  });

  test('is left by Sign Out, which clears the token and goes home', async () => {
    const page = await open({ as: await pages.subscriber() });
    await press(page, 'Sign Out');
    await page.waitForURL((url) => url.pathname === '/');
    expect(await storedToken(page)).toBeNull();
    await page.getByRole('link', { name: 'Sign In' }).waitFor();
    await page.goBack();
    await page.waitForURL(/\/login$/);
  });
});

describe('The overview', () => {
  test('shows texts and streak, accessible down to 320 px', async () => {
    const page = await open({
      viewport: narrow,
      prepare: async (blank) => {
        await answer(blank, '/users/me/analytics', UserAnalytics, someFigures);
        await answer(blank, '/users/me/sms-history', History, () => [aMessage(1), aMessage(2)]);
      },
    });
    await seeIn(page, 'Total Messages', '1,234');
    await seeIn(page, 'This Week', '5');
    await seeIn(page, 'Current Streak', '12');
    await seeIn(page, 'Recent Messages', 'Text number 1');
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
  });

  test('counts a weekly streak in texts', async () => {
    const streak = { streak_days: 3, streak_unit: 'texts' } as const;
    const page = await open({
      prepare: async (blank) => {
        await answer(blank, '/users/me/analytics', UserAnalytics, () => ({
          ...someFigures(),
          ...streak,
        }));
        await answer(blank, '/users/me/calendar', Calendar, () => ({
          ...{ month: '2027-04', today: '2027-04-05', days: [], first_month: '2027-03' },
          ...streak,
        }));
      },
    });
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
    await seeIn(page, 'Subscription Status', 'Free Trial');
    await seeIn(page, 'Next text', /at 9:00 AM/);
  });
});

describe('Subscription Status', () => {
  const openWith = (subscription: UserSubscription) =>
    open({
      prepare: (blank) =>
        answer(blank, '/users/me/subscription', UserSubscription, () => subscription),
    });
  const upgrade = (page: Page) => page.getByRole('link', { name: 'Upgrade to Full Plan' });

  test.each([
    ['active', 'Active Subscription', 'green'],
    ['expired', 'Expired', 'red'],
    ['canceled', 'Canceled', 'red'],
    ['pending', 'pending', 'grey'],
    ['past_due', 'past_due', 'grey'],
  ] as const)('shows %s as "%s" in %s, without an upgrade', async (status, label, tone) => {
    const page = await openWith(aSubscription({ status, plan: 'yearly' }));
    const badge = card(page, 'Subscription Status').getByText(label, { exact: true });
    await badge.waitFor();
    expect(await badge.getAttribute('data-tone')).toBe(tone);
    await seeIn(page, 'Subscription Status', 'Yearly');
    expect(await upgrade(page).count()).toBe(0);
    expect(await card(page, 'Subscription Status').getByText('Trial ends').count()).toBe(0);
  });

  test('shows an unknown status raw, in gray', async () => {
    const page = await open({
      prepare: (blank) =>
        mockCalls(blank, '/users/me/subscription', () => ({
          json: { ...aSubscription(), status: 'on_hold' },
        })),
    });
    const badge = card(page, 'Subscription Status').getByText('on_hold', { exact: true });
    await badge.waitFor();
    await expect.poll(() => badge.getAttribute('data-tone')).toBe('grey');
    await expect.poll(() => upgrade(page).count()).toBe(0);
  });

  test('of a trial shows its end, and leads to the full plan and its price', async () => {
    const trial_end_date = '2027-04-08T03:30:00.000Z';
    const page = await openWith(aSubscription({ trial_end_date }));
    const badge = card(page, 'Subscription Status').getByText('Free Trial', { exact: true });
    await badge.waitFor();
    await expect.poll(() => badge.getAttribute('data-tone')).toBe('yellow');
    await seeIn(page, 'Subscription Status', 'Monthly');
    await seeIn(page, 'Subscription Status', 'Apr 7, 2027');
    await seeIn(page, 'Subscription Status', 'Enabled');
    await expect.poll(() => upgrade(page).getAttribute('href')).toBe('/signup?plan=monthly');
    await upgrade(page).click();
    await page.getByRole('heading', { level: 1, name: 'Upgrade to the full plan' }).waitFor();
    await page.getByRole('button', { name: 'Upgrade and Pay $4.99' }).waitFor();
    await expectNoBarriers(page);
  });

  test('says when SMS delivery is disabled', async () => {
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
  });

  test('says until when texts are paused, and resumes them', async () => {
    const person = await pages.subscriber();
    const paused_until = new Date((await product.now()).getTime() + 10 * dayMs)
      .toISOString()
      .slice(0, 10);
    await product.api('PUT', '/users/me', { paused_until }, person.token);
    const page = await open({ as: person });
    await seeIn(page, 'Next text', `Your texts are paused until ${formatLocalDate(paused_until)}.`);
    await seeIn(page, 'Next text', /at 9:00 AM/);
    await seeIn(page, 'Subscription Status', `Paused until ${formatLocalDate(paused_until)}`);
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
  test("shows the hour in the subscriber's zone", async () => {
    const next = {
      next_text_at: '2027-04-06T13:00:00.000Z',
      local_date: '2027-04-06',
      timezone: 'Europe/Berlin',
      reason: null,
    };
    const page = await open({
      prepare: (blank) => answer(blank, '/users/me/next-text', NextText, () => next),
    });
    await seeIn(page, 'Next text', 'Tuesday, April 6 at 3:00 PM');
    await seeIn(page, 'Next text', 'Berlin time');
  });

  test('waits for a YES, can ask again, and appears once it came', async () => {
    const person = await pages.subscriber({ sms_consent: false });
    await product.settle();
    const before = (await product.texts(person.phone)).length;
    const page = await open({ as: person });
    await seeIn(page, 'Next text', /Reply YES to the text we sent you/);
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

describe('When traveling', () => {
  const berlin = { timezoneId: 'Europe/Berlin' };
  const hint = (page: Page) => card(page, 'Time zone');

  test('a browser in another zone offers to change the time zone', async () => {
    const person = await pages.subscriber();
    const page = await open({ as: person, ...berlin });
    await hint(page)
      .getByText(/You seem to be in Berlin time\./)
      .waitFor();
    await expectNoBarriers(page);
    await press(page, 'Change to Berlin');
    await see(page, 'Your texts now come in Berlin time.');
    await seeIn(page, 'Next text', 'Berlin time');
    await hint(page).waitFor({ state: 'detached' });
  });

  test('and stops offering once dismissed', async () => {
    const page = await open(berlin);
    await press(page, 'Keep New York');
    await hint(page).waitFor({ state: 'detached' });
    await page.reload();
    await seeIn(page, 'Next text', 'New York time');
    await expect.poll(() => hint(page).count()).toBe(0);
  });
});
