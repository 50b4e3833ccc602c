import { describe, expect, test } from 'vitest';
import { outOfReach } from '../../deploy/system-tests/browser/reach-measures.ts';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  mockCalls,
  narrow,
  press,
  see,
  usePages,
} from './harness.ts';
import {
  aVisitor,
  countSignups,
  onCheckoutPage,
  reachPreferences,
  submit,
  summary,
  typedIn,
} from './signup-form.ts';

const pages = usePages();
const { product } = pages;

describe('Returning from the checkout', () => {
  test('by its link or the browser continues where it was, with one account', async () => {
    const page = await pages.open('/signup?plan=yearly', { viewport: narrow });
    const visitor = { ...aVisitor(), name: 'Ada Wolfeschlegelsteinhausenbergerdorff' };
    await reachPreferences(page, visitor);
    const signups = countSignups(page);
    await submit(page);
    await onCheckoutPage(page);
    const checkout = page.url();
    await page.getByRole('link', { name: /Back/ }).click();
    const almost = page.getByRole('heading', { name: `Almost there, ${visitor.name}` });
    await almost.waitFor();
    await see(page, 'Nothing is charged today.');
    await expectNoSidewaysScroll(page);
    expect(await outOfReach(page)).toEqual([]);
    await expectNoBarriers(page);
    for (const back of [() => page.reload(), () => page.goBack()]) {
      await back();
      await almost.waitFor();
      await press(page, 'Continue to Payment');
      await onCheckoutPage(page);
      expect(page.url()).toBe(checkout);
    }
    expect(signups.count).toBe(1);
  });

  test('a failed checkout can be retried alone, and one in another currency shows its prices first', async () => {
    const page = await pages.open('/signup', { expectComplaints: failedCall });
    const visitor = aVisitor();
    await reachPreferences(page, visitor);
    const signups = countSignups(page);
    await mockCalls(page, '/payments/create-checkout', async ({ real }) => ({
      json: { ...(await real()), currency: 'gbp' },
    }));
    const restore = await failCalls(page, 'POST', '/payments/create-checkout');
    await submit(page);
    await page.locator(':focus', { hasText: `Almost there, ${visitor.name}` }).waitFor();
    await see(page, 'Something went wrong. Please try again.');
    restore();
    await press(page, 'Continue to Payment');
    await summary(page).getByText('£4.49/month').first().waitFor();
    await see(page, 'Nothing is charged today.');
    await press(page, 'Continue to Payment');
    await onCheckoutPage(page);
    expect(signups.count).toBe(1);
  });

  test('never shows an empty form, and someone else can sign up in the same tab', async () => {
    const page = await pages.open('/signup');
    await reachPreferences(page, aVisitor());
    await submit(page);
    await onCheckoutPage(page);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/(index|core)-.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    // The held script delays the load event.
    await page.goBack({ waitUntil: 'commit' });
    await see(page, 'Checking your checkout...');
    expect(await page.getByLabel('Full name').isVisible()).toBe(false);
    release();
    await press(page, 'Sign up someone else');
    await page.getByRole('heading', { name: 'Who is the text for?' }).waitFor();
    expect(await typedIn(page, 'email')).toBe('');
  });
});

test('a visitor with an earlier trial sees before the checkout what is charged today, and again after it', async () => {
  const before = await pages.subscriber();
  await product.confirmEmail(before.email);
  await product.settle();
  await product.api('POST', '/users/me/delete', { password: before.password }, before.token);
  await product.settle();
  const page = await pages.open('/signup');
  await reachPreferences(page, { ...aVisitor(), email: before.email });
  await see(page, "You won't be charged today if this is your first free trial");
  await submit(page);
  await see(page, /has already had a free trial, so you'll be charged \$4\.99 today/);
  await summary(page).getByText('After that').waitFor();
  await expect.poll(() => page.getByText('free days').count()).toBe(0);
  await expect.poll(() => page.getByText('$0.00').count()).toBe(0);
  await expectNoBarriers(page);
  await press(page, 'Continue to Payment');
  await onCheckoutPage(page);
  await see(page, 'Total due today');
  await page.getByRole('button', { name: 'Pay $4.99' }).waitFor();
  const session = /cs_test_[^/?#]+/.exec(page.url())?.[0] ?? '';
  await product.pay(session, '5555555555554444');
  await page.goto(`${product.urls.gateway}/success?session_id=${session}`);
  await see(page, 'Your subscription has started');
  await expect.poll(() => page.getByText('free trial has started').count()).toBe(0);
});
