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
  useDashboard,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;
const { reader } = useDashboard(pages);
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

test('Offline, a page says so, keeps loaded and typed data, and continues when back online, in a tab that was never open too', async () => {
  const page = await pages.open('/dashboard?tab=settings', {
    as: await pages.subscriber(),
    ...expected,
  });
  const offline = page.getByText(/^You're offline\./);
  await press(page, 'Edit');
  await page.getByLabel('Daily message time').selectOption('06:00');
  await page.context().setOffline(true);
  await offline.waitFor();
  await expectNoBarriers(page);
  await press(page, 'Save Changes');
  await see(page, 'Failed to update profile. Please try again.');
  expect(await page.getByLabel('Daily message time').inputValue()).toBe('06:00');
  await page.context().setOffline(false);
  await offline.waitFor({ state: 'detached' });
  await press(page, 'Save Changes');
  await see(page, 'Profile updated successfully!');
  await page.context().setOffline(true);
  await offline.waitFor();
  await page.getByRole('tab', { name: 'Support' }).click();
  await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
  await page.getByRole('tab', { name: 'Support', selected: true }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Contact Support' }).waitFor();
  await page.locator('details').first().waitFor();
});

test('During slow calls, the dashboard and then each card show loading and a slow notice, and fill in place', async () => {
  const page = await beforeDashboard(reader());
  const user = await holdCalls(page, 'GET', '/users/me');
  const cards = await Promise.all(overviewCalls.map((path) => holdCalls(page, 'GET', path)));
  const slow = page.getByText('Still loading. Your connection seems slow.');
  await goTo(page, '/dashboard');
  const loading = page
    .getByRole('status')
    .getByRole('heading', { name: /^Loading your dashboard/ });
  await loading.waitFor();
  await slow.waitFor();
  await expectNoBarriers(page);
  user.release();
  await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
  expect(await loading.count()).toBe(0);
  await slow.waitFor({ state: 'detached' });
  await expect.poll(() => cards.every(({ count }) => count === 1)).toBe(true);
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
  await slow.waitFor();
  for (const { release } of cards) release();
  await see(page, 'Free Trial');
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
});

test('the whole dashboard can be retried if the user failed to load', async () => {
  const page = await beforeDashboard(reader());
  const restore = await failCalls(page, 'GET', '/users/me');
  await goTo(page, '/dashboard');
  await page.getByRole('heading', { name: "We couldn't load your dashboard" }).waitFor();
  await expectNoBarriers(page);
  restore();
  await press(page, 'Try again');
  await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
});

describe('Rate limits say when to retry', () => {
  const answered = { detail: 'Too many requests. Please try again in 42 seconds.' };
  const refuse = (page: Page, path: string) =>
    mockCalls(page, path, () => ({
      status: 429,
      json: { ...answered, code: 'TOO_MANY', request_id: 'r' },
    }));

  test('at the login, on the contact form, and for the whole dashboard', async () => {
    const page = await beforeDashboard(reader());
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
    const person = await pages.subscriber({}, false);
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
