import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from './browser/barriers.ts';
import { launchBrowser } from './browser/launch-browser.ts';
import type { ProductClient } from './product-client.ts';
import { isServiceText } from './simulation/judge.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';

const subscriber = {
  name: 'Ada Morning',
  email: 'ada@example.com',
  phone: '+1 415 555 0143',
  number: '+14155550143',
  password: 'good morning',
};

let running: TestStack;
let product: ProductClient;
let browser: Browser;
let page: Page;
/** Script errors and blocked resources reported by the browser. */
const complaints: string[] = [];

beforeAll(async () => {
  running = await startTestStack({ CLOCK_START: '2027-04-05T15:20:00Z' });
  product = running.product;
  browser = await launchBrowser();
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    timezoneId: 'America/New_York',
    locale: 'en-US',
  });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A declined card is an expected 402 on the provider's page.
    if (message.type() === 'error' && message.location().url.startsWith(product.urls.gateway))
      complaints.push(message.text());
  });
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

const open = (path: string) => page.goto(`${product.urls.gateway}${path}`);
const see = (text: string | RegExp) => page.getByText(text).first().waitFor();

async function expectNoBarriers(): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
}

/** Each step continues from the one before. */
describe('the main flow in a browser, from the landing page to an active subscription', () => {
  test('a visitor signs up from the landing page', async () => {
    await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectNoBarriers();
    await page.getByRole('link', { name: 'Start 3-Day Free Trial' }).first().click();
    await page.getByLabel('Full name').fill(subscriber.name);
    await page.getByLabel('Email').fill(subscriber.email);
    await page.getByLabel('Phone number').fill(subscriber.phone);
    await page
      .getByLabel('Password', { exact: true })
      .or(page.locator('input[name="password"]'))
      .first()
      .fill(subscriber.password);
    await page.locator('input[name="confirmPassword"]').fill(subscriber.password);
    await expectNoBarriers();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Delivery time').selectOption('07:00');
    expect(await page.getByLabel('Timezone').inputValue()).toBe('America/New_York');
    const consent = page.getByRole('checkbox');
    expect(await consent.isChecked()).toBe(false);
    await consent.check();
    await expectNoBarriers();
    await page.getByRole('button', { name: /Free Trial/ }).click();
  });

  test("pays on the provider's own page", async () => {
    await page.waitForURL(/\/c\/pay\/cs_test_/);
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await page.getByLabel('Expiry (MM/YY)').fill('12/34');
    await page.getByLabel('CVC').fill('123');
    await page.getByLabel('Name on card').fill(subscriber.name);
    await page.getByRole('button', { name: 'Start trial' }).click();
    await see(/declined/i);
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiry (MM/YY)').fill('12/34');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: 'Start trial' }).click();
    await page.waitForURL(/\/success\?session_id=cs_test_/);
    await see('Welcome to Daylift!');
    await see(/Your 3-day free trial has started/);
    await expectNoBarriers();
  });

  test('is welcomed by one text', async () => {
    await product.settle();
    const texts = await product.texts(subscriber.number);
    expect(texts).toHaveLength(1);
    for (const words of ['Daylift', 'STOP', 'HELP', 'rates'])
      expect(texts[0]?.text).toContain(words);
  });

  test('is signed in and sees the trial and when the first text comes', async () => {
    await page
      .getByRole('link', { name: 'Sign In to Your Dashboard' })
      .or(page.getByRole('button', { name: 'Sign In to Your Dashboard' }))
      .first()
      .click();
    await page.waitForURL(/\/dashboard/);
    await see('Free Trial');
    await see('No messages yet');
    await see(/April 6/);
    await see(/7:00/);
    await expectNoBarriers();
  });

  test('gets one text the next day at 7 in the morning, and sees it as delivered', async () => {
    const { unsettled } = await product.advanceTo(new Date('2027-04-06T12:30:00Z'), 12);
    expect(unsettled).toEqual([]);
    const daily = (await product.texts(subscriber.number)).filter((text) => !isServiceText(text));
    expect(daily).toHaveLength(1);
    expect(daily[0]?.accepted_at).toMatch(/^2027-04-06T11:0/);
    await page.reload();
    await see('delivered');
    await see((daily[0]?.text ?? '').slice(0, 40));
    await expectNoBarriers();
  });

  test('is charged once after the trial, and has an active subscription', async () => {
    const { unsettled } = await product.advanceTo(new Date('2027-04-08T18:30:00Z'), 12);
    expect(unsettled).toEqual([]);
    await page.reload();
    await see('Active Subscription');
    const mails = await product.sandbox<{ subject: string; from_name: string }[]>(
      'GET',
      `/sandbox/emails?to=${encodeURIComponent(subscriber.email)}`,
    );
    expect(mails.body.filter((mail) => /trial/i.test(mail.subject))).toHaveLength(2);
    expect(new Set(mails.body.map((mail) => mail.from_name))).toEqual(new Set(['Daylift']));
    expect(mails.body.filter((mail) => /receipt/i.test(mail.subject))).toHaveLength(1);
  });

  test('the operator signs in and sees the subscriber, the texts and the money', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open('/admin/login');
    await page.getByLabel('Username').fill(running.stack.adminCredentials.username);
    await page.locator('input[type="password"]').fill(running.stack.adminCredentials.password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL(/\/admin\/dashboard/);
    await see('$4.99');
    await see('3 / 3 sent');
    await expectNoBarriers();
    await page.getByRole('link', { name: 'Subscribers', exact: true }).click();
    const subscribers = page.getByRole('table', { name: 'Subscribers' });
    await subscribers.getByText(subscriber.email).waitFor();
    await subscribers.getByText('Monthly').waitFor();
    await expectNoBarriers();
  });

  test('the operator schedules a message for today and sends it to everyone without one yet', async () => {
    await product
      .signUp({
        name: 'Grace Evening',
        email: 'grace@example.com',
        phone: '+14155550144',
        password: subscriber.password,
        timezone: 'America/New_York',
        delivery_time: '20:00',
        sms_consent: true,
      })
      .then(async (id) => product.pay(await product.openCheckout(id)));
    await product.settle();
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByLabel('Title').first().fill('Thursday');
    await page.getByLabel('Content').fill('Good to have you here, {{first_name}}.');
    await page.getByLabel('Date').fill('2027-04-08');
    await see('GSM-7');
    await page.getByRole('button', { name: 'Schedule Message' }).click();
    await page.getByRole('button', { name: /Send Now.*Thursday/ }).waitFor();
    await product.settle();
    await expectNoBarriers();
    await page.getByRole('button', { name: /Send Now.*Thursday/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 person').first().waitFor();
    await dialog.getByRole('button', { name: 'Send Now' }).click();
    await see(/1 of 1 person reached/);
    await page
      .getByRole('table', { name: 'Scheduled messages' })
      .getByText('Sent', { exact: true })
      .waitFor();
    await product.settle();
    const contentTexts = (await product.texts('+14155550144')).filter(
      (text) => !isServiceText(text),
    );
    expect(contentTexts.map((text) => text.text)).toEqual(['Good to have you here, Grace.']);
  });

  test('the browser logged no errors', () => {
    expect(complaints).toEqual([]);
  });
});
