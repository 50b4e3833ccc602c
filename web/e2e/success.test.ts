import { PaymentStatus } from '@daylift/contracts/billing.http';
import { NextText } from '@daylift/contracts/scheduler.http';
import { describe, expect, test } from 'vitest';
import {
  anEmail,
  answer,
  aPhone,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  mockCalls,
  phone,
  press,
  see,
  stopMocking,
  usePages,
} from './harness.ts';
import { aVisitor, reachPreferences, submit } from './signup-form.ts';

const pages = usePages();

const openCheckout = async () => {
  const { product } = pages;
  const id = await product.signUp({
    name: 'Ada Morning',
    email: anEmail(),
    phone: aPhone(),
    password: 'good morning',
    timezone: 'America/New_York',
    delivery_time: '09:00',
    sms_consent: true,
  });
  return { id, session: await product.openCheckout(id) };
};

describe('The success page', () => {
  test('redirects home without a session', async () => {
    const page = await pages.open('/success');
    await page.getByRole('heading', { level: 1, name: /A kind word/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('checks, reports an unavailable service, checks again, then welcomes a paying user', async () => {
    const { session } = await openCheckout();
    await pages.product.pay(session);
    const page = await pages.open('/privacy', { viewport: phone, expectComplaints: failedCall });
    const restore = await failCalls(page, 'GET', `/payments/status/${session}`);
    const held = await holdCalls(page, 'GET', `/payments/status/${session}`);
    await page.goto(`${pages.product.urls.gateway}/success?session_id=${session}`);
    await see(page, 'Checking payment status...');
    await expectNoBarriers(page);
    held.release();
    await see(page, "We couldn't confirm your payment");
    restore();
    await press(page, 'Check Again');
    const welcome = page.getByRole('heading', { level: 1, name: 'Welcome to Daylift!' });
    await welcome.waitFor();
    await see(page, 'Your 3-day free trial has started');
    await see(page, /first text arrives tomorrow at the time you chose/);
    await see(page, /the email and password you signed up with/);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await page.reload();
    await welcome.waitFor();
    await page.getByRole('link', { name: 'Back to Home' }).waitFor();
    await page.getByRole('link', { name: 'Sign In to Your Dashboard' }).click();
    await page.waitForURL(/\/login$/);
  });

  test('shows a returning subscriber the next text or why none comes, but nothing from before the payment', async () => {
    const page = await pages.open('/success?session_id=cs_test_back', {
      as: await pages.subscriber({}, false),
      prepare: (blank) =>
        answer(blank, '/payments/status/cs_test_back', PaymentStatus, () => ({
          payment_status: 'paid' as const,
          trial: false,
        })),
    });
    await see(page, 'Your subscription has started');
    await see(page, /^Your dashboard shows when your next text arrives\./);
    let next: NextText = {
      ...{ next_text_at: null, local_date: null, timezone: 'America/New_York' },
      reason: 'Your texts are off. Text START to our number to turn them back on.',
    };
    await answer(page, '/users/me/next-text', NextText, () => next);
    await see(page, /^Your texts are off\. Text START/);
    next = {
      ...{ next_text_at: '2027-03-09T17:00:00.000Z', local_date: '2027-03-09' },
      ...{ timezone: 'America/New_York', reason: null },
    };
    await see(page, /^Your next text arrives Tuesday, March 9 at 12:00 PM\./);
    expect(await page.getByText('first text arrives tomorrow').count()).toBe(0);
  });

  test('shows when the first text comes, offers our number, and signs in the browser that signed up', async () => {
    const page = await pages.open('/signup', { viewport: phone });
    await reachPreferences(page, aVisitor());
    await page.getByRole('checkbox').check();
    await submit(page);
    await page.waitForURL(/\/c\/pay\//);
    const session = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await pages.product.pay(session);
    await page.goto(`${pages.product.urls.gateway}/success?session_id=${session}`);
    await see(page, /^Tomorrow, \d+:00 [AP]M$/);
    await see(page, /, New York time$/);
    await see(page, 'Your 3-day free trial has started');
    expect(page.url()).not.toContain('token');
    const saved = page.waitForEvent('download');
    await press(page, 'Save Our Number');
    expect((await saved).suggestedFilename()).toBe('Daylift.vcf');
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Sign In to Your Dashboard' }).click();
    await page.waitForURL(/\/dashboard$/);
    expect(await page.evaluate(() => sessionStorage.getItem('pending_signup'))).toBeNull();
  });

  test('asks for YES if the box was left unchecked, until it comes', async () => {
    const page = await pages.open('/signup', { viewport: phone });
    await page.getByLabel('Full name').fill('Ada Morning');
    await page.getByLabel('Email').fill(anEmail());
    const number = aPhone();
    await page.getByLabel('Phone number').fill(number);
    await page.getByLabel(/^Password/).fill('good morning');
    await page.getByLabel('Confirm password').fill('good morning');
    await press(page, 'Continue');
    await press(page, 'Start 3-Day Free Trial');
    await page.waitForURL(/\/c\/pay\//);
    const session = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await pages.product.pay(session);
    await page.goto(`${pages.product.urls.gateway}/success?session_id=${session}`);
    await see(page, /One last step, on your phone: reply YES to the text/);
    // Wherever the signup was scrolled to.
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await pages.product.settle();
    const texts = await pages.product.texts(number);
    expect(texts.map(({ text }) => text)).toEqual([expect.stringContaining('YES')]);
    await pages.product.reply(number, 'YES');
    await see(page, /^Tomorrow, /);
    await see(page, /Your first text arrives tomorrow/);
    expect(await page.getByText('One last step').count()).toBe(0);
  });

  test('distinguishes a postponed charge, a pending payment, and no payment from success', async () => {
    let status: PaymentStatus = {
      ...{ payment_status: 'paid', trial: false, first_charge_at: '2027-05-08T15:20:00.000Z' },
    };
    const page = await pages.open('/success?session_id=cs_test_any', {
      viewport: phone,
      prepare: (blank) => answer(blank, '/payments/status/*', PaymentStatus, () => status),
    });
    await see(page, 'Your plan is set');
    await see(page, /Nothing was charged today. Your first charge is on .*May 8/);
    await expectNoBarriers(page);
    for (const [payment_status, title] of [
      ['pending', 'Your payment is on its way'],
      ['expired', 'This checkout has expired'],
      ['unpaid', "We couldn't confirm your payment"],
    ] as const) {
      status = { payment_status };
      await page.reload();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.getByText('Welcome to Daylift!').count()).toBe(0);
      await page.getByRole('link', { name: 'Sign In to Your Dashboard' }).waitFor();
      await expectNoSidewaysScroll(page);
      await expectNoBarriers(page);
    }
  });

  test('says that the checkout is still open, links to it, and updates automatically', async () => {
    const { session } = await openCheckout();
    const page = await pages.open(`/success?session_id=${session}`);
    await page.getByRole('heading', { level: 1, name: 'Your checkout is still open' }).waitFor();
    await page.getByRole('link', { name: 'Sign In to Your Dashboard' }).waitFor();
    await page.evaluate(() =>
      sessionStorage.setItem(
        'pending_signup',
        JSON.stringify({ id: 'x', name: 'Ada', plan: 'yearly' }),
      ),
    );
    await page.reload();
    const next = page.getByRole('link', { name: 'Continue to Payment' });
    expect(await next.getAttribute('href')).toBe('/signup?plan=yearly');
    await expectNoBarriers(page);
    await pages.product.pay(session);
    await page.getByRole('heading', { level: 1, name: 'Welcome to Daylift!' }).waitFor();
  });

  test('reports an unknown session', async () => {
    const page = await pages.open('/success?session_id=cs_test_unknown', {
      expectComplaints: failedCall,
    });
    await see(page, "We couldn't confirm your payment");
    await page.getByRole('button', { name: 'Check Again' }).waitFor();
  });
});

describe("The reminder's link", () => {
  test('cancels with one click but never on opening, and explains a link that no longer works', async () => {
    const page = await pages.open('/privacy', { viewport: phone, expectComplaints: failedCall });
    const sent: unknown[] = [];
    await mockCalls(page, '/plans/cancel', (call) => {
      sent.push(call.body());
      return { json: { ends_at: '2027-03-09T17:00:00.000Z' } };
    });
    await page.goto(`${pages.product.urls.gateway}/cancel-plan#sub_1.token`);
    await page.getByRole('heading', { level: 1, name: 'Cancel your plan?' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    expect(sent).toEqual([]);
    await press(page, 'Cancel My Plan');
    await page.getByRole('heading', { level: 1, name: 'Your plan is canceled' }).waitFor();
    await see(page, "You'll keep getting your texts until Mar 9, 2027, and you won't be charged.");
    await expectNoBarriers(page);
    expect(sent).toEqual([{ token: 'sub_1.token' }]);
    await stopMocking(page);
    await page.reload();
    await press(page, 'Cancel My Plan');
    await see(page, 'This link no longer works. Please sign in to see or cancel your plan.');
    await page.goto(`${pages.product.urls.gateway}/keep-price#sub_1.token`);
    await page.getByRole('heading', { level: 1, name: 'Opt out of the new price?' }).waitFor();
    await expectNoBarriers(page);
  });
});
