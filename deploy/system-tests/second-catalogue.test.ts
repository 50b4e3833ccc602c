import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser/launch-browser.ts';
import type { ProductClient } from './product-client.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';
import { chargesOf } from './stack-secrets.ts';

let running: TestStack;
let product: ProductClient;
let browser: Browser;
let page: Page;
const person = { email: 'ada@example.com', password: 'good morning' };

beforeAll(async () => {
  running = await startTestStack({
    CLOCK_START: '2027-04-05T15:20:00Z',
    PLAN_CATALOGUE: 'terms',
    ALLOWED_COUNTRIES: 'US,GB',
    COUNTRY_CURRENCIES: 'GB:gbp',
  });
  product = running.product;
  browser = await launchBrowser();
  const context = await browser.newContext({ timezoneId: 'America/New_York', locale: 'en-US' });
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

const open = (path: string) => page.goto(`${product.urls.gateway}${path}`);
const see = (words: string | RegExp) => page.getByText(words).first().waitFor();

/** Checks visible text, labels and metadata for numbers of the other catalogue. */
async function expectNoDefaultNumbers(): Promise<void> {
  const metas = await page.locator('meta[content]').all();
  const words = await Promise.all([
    page.title(),
    page.locator('body').ariaSnapshot(),
    ...metas.map((meta) => meta.getAttribute('content')),
  ]);
  expect(words.join('\n')).not.toMatch(/4\.99|49\.99|4\.17|17\s?%|\b(3|three)[- ]days?\b/i);
}

test('the public pages show it, and nothing of the first', async () => {
  await open('/');
  for (const words of ['$1.99', '$19.99', 'Save 16%', 'About $1.67/month, 2 months free'])
    await see(words);
  await see('7 days free');
  await page.getByRole('link', { name: 'Start 7-Day Free Trial' }).first().waitFor();
  await expectNoDefaultNumbers();
  await open('/terms');
  await see(/begins with a free trial of 7 days\./);
  await see('Monthly: $1.99 per month');
  await see('Yearly: $19.99 per year');
  await expectNoDefaultNumbers();
  await open('/signup?plan=yearly');
  await see('7 days free, then $19.99/year.');
  await expectNoDefaultNumbers();
});

const watchLayoutShift = `
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

test('a prerendered page changes to pounds for a visitor from London without errors or layout shift', async () => {
  const context = await browser.newContext({ timezoneId: 'Europe/London', locale: 'en-GB' });
  const london = await context.newPage();
  const errors: string[] = [];
  london.on('pageerror', (error) => errors.push(String(error)));
  london.on('console', (entry) => {
    if (entry.type() !== 'log') errors.push(entry.text());
  });
  await london.addInitScript(watchLayoutShift);
  await london.goto(`${product.urls.gateway}/#pricing`);
  const prices = london.locator('#pricing');
  await prices.getByText('£1.79').waitFor();
  await prices.getByText('£17.99').waitFor();
  expect(await prices.getByText('$').count()).toBe(0);
  expect(await london.evaluate('layoutShift')).toBeLessThan(0.001);
  expect(errors).toEqual([]);
  await context.close();
});

test('the checkout offers seven days and then the chosen price', async () => {
  const id = await product.signUp({
    ...person,
    name: 'Ada Morning',
    phone: '+14155550143',
    timezone: 'America/New_York',
    delivery_time: '09:00',
    sms_consent: true,
  });
  const session = await product.openCheckout(id);
  await page.goto(`${product.urls.sandbox}/c/pay/${session}`);
  await see('7 days free');
  await see(/Then \$1\.99 .*starting April 12, 2027/);
  await expectNoDefaultNumbers();
  await product.pay(session);
  await open(`/success?session_id=${session}`);
  await see('Your 7-day free trial has started');
  await expectNoDefaultNumbers();
});

test('the dashboard shows its prices, and an upgrade charges them', async () => {
  await open('/login');
  await page.getByLabel(/Email or phone/i).fill(person.email);
  await page.locator('input[type="password"]').fill(person.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('link', { name: 'Manage Plan' }).click();
  await see('$1.99 a month');
  await see('$1.99 on Apr 12, 2027');
  await page.getByRole('button', { name: 'Switch to Yearly' }).click();
  await see('$19.99 on Apr 12, 2027');
  await expectNoDefaultNumbers();
  await open('/dashboard?tab=referrals');
  await see(/\$1\.25 off your next monthly bill \(63% discount\)/);
  await expectNoDefaultNumbers();
  await open('/dashboard?tab=support');
  await see('Contact Support');
  await expectNoDefaultNumbers();
  await open('/upgrade?plan=monthly');
  await page.getByRole('button', { name: 'Upgrade and Pay $1.99' }).waitFor();
  await see('$19.99');
  await expectNoDefaultNumbers();
  await page.getByRole('button', { name: 'Upgrade and Pay $1.99' }).click();
  await see(/^\$1\.99 was charged\./);
  expect(await chargesOf(running.stack, person.email)).toMatchObject([
    { amount: 199, status: 'succeeded' },
  ]);
});
