import { describe, expect, test } from 'vitest';
import {
  expectNoBarriers,
  failCalls,
  failedCall,
  holdCalls,
  mockCalls,
  type Page,
  press,
  type Subscriber,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;
const expected = { expectComplaints: failedCall };

/** Opens a signed-in page that makes no dashboard calls yet. */
const beforeDashboard = (person: Subscriber) => pages.open('/privacy', { as: person, ...expected });
const goTo = (page: Page, path: string) => page.goto(`${product.urls.gateway}${path}`);
const overviewCalls = [
  '/users/me/next-text',
  '/users/me/analytics',
  '/users/me/subscription',
  '/users/me/sms-history',
  '/users/me/calendar',
];

describe('Offline,', () => {
  test('a page says so, keeps loaded and typed data, and continues when back online', async () => {
    const page = await pages.open('/dashboard?tab=settings', {
      as: await pages.subscriber(),
      ...expected,
    });
    await press(page, 'Edit');
    await page.getByLabel('Daily message time').selectOption('06:00');
    await page.context().setOffline(true);
    await see(page, /^You're offline\./);
    await expectNoBarriers(page);
    await press(page, 'Save Changes');
    await see(page, 'Failed to update profile. Please try again.');
    await expect.poll(() => page.getByLabel('Daily message time').inputValue()).toBe('06:00');
    await page.context().setOffline(false);
    await page.getByText(/^You're offline\./).waitFor({ state: 'detached' });
    await press(page, 'Save Changes');
    await see(page, 'Profile updated successfully!');
  });

  test('a tab that was never open loads when back online', async () => {
    const page = await pages.open('/dashboard', { as: await pages.subscriber(), ...expected });
    await see(page, 'Your first text');
    await page.context().setOffline(true);
    await see(page, /^You're offline\./);
    await page.getByRole('tab', { name: 'Support' }).click();
    await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
    await page.getByRole('tab', { name: 'Support', selected: true }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Contact Support' }).waitFor();
    await page.locator('details').first().waitFor();
  });
});

describe('During slow calls', () => {
  test('the dashboard shows loading, then a slow notice, and appears', async () => {
    const page = await beforeDashboard(await pages.subscriber());
    const held = await holdCalls(page, 'GET', '/users/me');
    await goTo(page, '/dashboard');
    await page.getByRole('heading', { name: 'Loading your dashboard...' }).waitFor();
    await see(page, 'Still loading. Your connection seems slow.');
    await expectNoBarriers(page);
    held.release();
    await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
    await page.getByText('Still loading.').waitFor({ state: 'detached' });
  });

  test('each overview card has its own named placeholder, and fills in place', async () => {
    const page = await beforeDashboard(await pages.subscriber());
    const held = await Promise.all(overviewCalls.map((path) => holdCalls(page, 'GET', path)));
    await goTo(page, '/dashboard');
    await expect.poll(() => held.every(({ count }) => count === 1)).toBe(true);
    for (const card of [
      'Next text',
      'Total Messages',
      'Subscription Status',
      'Recent Messages',
      'Your Days',
    ])
      await page
        .getByRole('region', { name: card })
        .locator('.mantine-Skeleton-root')
        .first()
        .waitFor();
    await see(page, 'Still loading. Your connection seems slow.');
    for (const { release } of held) release();
    await see(page, 'Free Trial');
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  });
});

describe('When overview calls fail', () => {
  test('each card says so or is empty, and can be retried separately', async () => {
    const page = await beforeDashboard(await pages.subscriber());
    const restores = await Promise.all(overviewCalls.map((path) => failCalls(page, 'GET', path)));
    await goTo(page, '/dashboard');
    for (const words of ['No subscription yet', 'No messages yet']) await see(page, words);
    const retries = page.getByRole('button', { name: 'Try again' });
    await expect.poll(() => retries.count(), { timeout: 20_000 }).toBe(overviewCalls.length);
    await expect.poll(() => page.getByText('internal words').count()).toBe(0);
    await expectNoBarriers(page);
    for (const restore of restores) restore();
    for (let left = overviewCalls.length; left > 0; left -= 1) {
      await retries.first().click();
      await expect.poll(() => retries.count()).toBe(left - 1);
    }
    for (const words of ['Free Trial', 'Monthly', 'Your streak begins with your next text.'])
      await see(page, words);
  });

  test('the whole dashboard can be retried if the user failed to load', async () => {
    const page = await beforeDashboard(await pages.subscriber());
    const restore = await failCalls(page, 'GET', '/users/me');
    await goTo(page, '/dashboard');
    await page.getByRole('heading', { name: "We couldn't load your dashboard" }).waitFor();
    await expectNoBarriers(page);
    restore();
    await press(page, 'Try again');
    await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
  });
});

describe('Rate limits say when to retry', () => {
  const answered = { detail: 'Too many requests. Please try again in 42 seconds.' };
  const refuse = (page: Page, path: string) =>
    mockCalls(page, path, () => ({
      status: 429,
      json: { ...answered, code: 'TOO_MANY', request_id: 'r' },
    }));

  test('at the login, on the contact form, and for the whole dashboard', async () => {
    const page = await beforeDashboard(await pages.subscriber());
    await refuse(page, '/contact');
    await goTo(page, '/contact');
    for (const field of ['Name', 'Subject', 'Message']) await page.getByLabel(field).fill('Grace');
    await page.getByLabel('Email').fill('grace@example.com');
    await press(page, 'Send Message');
    await see(page, answered.detail);
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Grace');
    await refuse(page, '/users/me');
    await goTo(page, '/dashboard');
    await see(page, answered.detail);
    await page.evaluate(() => localStorage.clear());
    await refuse(page, '/users/login');
    await goTo(page, '/login');
    await page.getByLabel('Email or phone').fill('grace@example.com');
    await page.getByLabel('Password', { exact: true }).fill('good morning');
    await press(page, 'Sign In');
    await see(page, answered.detail);
  });

  test('for the sixth support message within an hour, which is kept', async () => {
    const person = await pages.subscriber();
    const body = { subject: 'Hello', message: 'Again' };
    for (let sent = 0; sent < 5; sent += 1)
      await product.api('POST', '/support/contact', body, person.token);
    const page = await pages.open('/dashboard?tab=support', { as: person, ...expected });
    await press(page, 'Contact Support');
    await page.getByLabel('Subject').fill('Hello');
    await page.getByLabel('Message').fill('A long thought');
    await press(page, 'Send Message');
    await see(page, /please wait an hour before sending another\./);
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('A long thought');
  });
});
