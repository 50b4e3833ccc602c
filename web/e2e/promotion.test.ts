import { randomUUID } from 'node:crypto';
import { PromotionOffer } from '@daylift/contracts/promotions.http';
import { beforeAll, expect, inject, it } from 'vitest';
import {
  answer,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failedCall,
  phone,
  press,
  see,
  usePages,
} from './harness.ts';
import { aVisitor, onCheckoutPage, reachPreferences, submit, summary } from './signup-form.ts';

const pages = usePages();
const { product } = pages;
const code = `SUMMER-${randomUUID().slice(0, 8).toUpperCase()}`;
const late = `LATE-${code}`;
const terms = {
  ...{ kind: 'percent', months: 1, plan: 'monthly', max_uses: null },
  ...{ first_time_only: true, expires_on: null },
};

beforeAll(async () => {
  const owner = await product.adminLogin(inject('admin'));
  for (const offered of [
    { code, value: 50 },
    { code: late, value: 20 },
  ]) {
    const body = { ...terms, ...offered, request_key: randomUUID() };
    expect((await product.api('POST', '/admin/promotions', body, owner)).status).toBe(200);
  }
});

it('a link shows the price of its code and a wrong code its error; the last code typed applies from the checkout to the dashboard', async () => {
  const price = '$2.49 for the first month, then $4.99 a month';
  const page = await pages.open(`/signup?promo=${code.toLowerCase()}`, {
    viewport: phone,
    expectComplaints: failedCall,
  });
  const field = page.getByLabel('Promotion code', { exact: true });
  const status = summary(page).getByRole('status');
  await status.getByText(`${code}: 3 days free, then ${price}.`).waitFor();
  await expectNoBarriers(page);
  await expectNoSidewaysScroll(page);
  await field.fill('no such code');
  await field.press('Enter');
  await see(page, "We don't know this code. Check its spelling, or continue without it.");
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await expectNoBarriers(page);
  await summary(page).getByText('$4.99/month').first().waitFor();
  await field.fill(code);
  await press(page, 'Apply the promotion code');
  await status.getByText(price).waitFor();
  // Typed but not applied: the checkout uses it, too.
  await field.fill(late);
  await reachPreferences(page, aVisitor());
  await submit(page);
  await onCheckoutPage(page);
  await page.getByText(`${late} (20% off)`).waitFor();
  for (const [name, value] of Object.entries({
    'Card number': '4242424242424242',
    'Expiry (MM/YY)': '12/40',
    CVC: '123',
    'Name on card': 'Grace',
  }))
    await page.getByLabel(name).fill(value);
  await press(page, 'Start trial');
  await see(page, 'Your 3-day free trial has started');
  await page.goto(`${new URL(page.url()).origin}/dashboard?tab=plan`);
  await see(page, `${late}: $3.99 for the first month, then $4.99 a month`);
  // A started plan takes no other code.
  await page.goto(`${new URL(page.url()).origin}/signup?promo=${code}`);
  await see(page, `so ${code} doesn't change this price.`);
  await expectNoBarriers(page);
});

it('the currency of the code is that of the page', async () => {
  const offer: PromotionOffer = {
    ...{ code: 'POUNDS', plan: 'monthly', trial_days: 0, first_cents: 249, currency: 'gbp' },
    ...{ discounted_payments: 1, price: '£2.49 for the first month, then £4.49 a month' },
  };
  const page = await pages.open('/signup?promo=POUNDS', {
    prepare: (blank) => answer(blank, '/promotions/POUNDS', PromotionOffer, () => offer),
  });
  await summary(page).getByText('£2.49', { exact: true }).waitFor();
  await summary(page).getByText('£4.49').first().waitFor();
  expect(await page.getByText('$').count()).toBe(0);
});
