import type { PlanPreview, PlanView, UserInvoice } from '@daylift/contracts/billing.http';
import type { Business } from '@daylift/contracts/business.http';
import type { GiftCheckout } from '@daylift/contracts/gifts.http';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf, type Person } from '../../test/lost-days.ts';
import { createPrices } from '../catalogue/prices.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ environment: { STRIPE_TAX: 'on' } });
});
afterAll(() => test.stop());

const call = <T>({ user_id }: Person, path: string, payload?: object) =>
  test.callAsUser<T>(user_id, path, payload);
async function living(place: string) {
  const person = await test.signUp();
  await test.prove(person);
  const { body } = await test.checkOut(person);
  await test.sandbox.call(`/sandbox/checkout/${body.session_id}/complete`, { place });
  await test.settle();
  return person;
}
const figuresNow = async () => {
  const headers = test.as({
    ...{ kind: 'admin' as const, admin_id: crypto.randomUUID(), username: 'olive' },
    ...{ role: 'owner', session_version: 0 },
  });
  const { figures } = (await test.app.inject({ url: '/admin/business', headers })).json<Business>();
  return Object.fromEntries(figures.map(({ id, value }) => [id, value]));
};

it('adds tax by address to every charge, shows it, and keeps it out of revenue', async () => {
  expect((await test.app.inject('/plans')).json()).toMatchObject({ plus_tax: true });
  const person = await living('US-CA');
  const untaxed = await living('US-OR');
  expect(await call<PlanView>(person, 'plan')).toMatchObject({
    price_cents: 499,
    next_charge: { amount_cents: 535, tax_cents: 36 },
  });
  expect(await call<PlanView>(untaxed, 'plan')).toMatchObject({
    next_charge: { amount_cents: 499, tax_cents: 0 },
  });
  const mails = () => test.mails(person.email);
  expect((await mails())[0]?.text).toContain('Then: $4.99 a month, plus tax');
  expect(await call<PlanPreview>(person, 'plan/preview?action=switch&plan=yearly')).toMatchObject({
    charge_now_cents: 0,
    next_charge: { amount_cents: 5361 },
  });
  const upgrade = await call<PlanPreview>(person, 'plan/preview?action=upgrade&plan=monthly');
  expect(upgrade).toMatchObject({ charge_now_cents: 535, next_charge: { amount_cents: 535 } });
  await call(person, 'plan/upgrade', { plan: 'monthly', charge_now_cents: 535 });
  await test.settle();
  expect(await call<UserInvoice[]>(person, 'invoices')).toMatchObject([
    { amount_cents: 535, tax_cents: 36 },
  ]);
  expect((await mails()).at(-1)?.text).toContain('Tax: $0.36\nAmount: $5.35');

  const customer = await customerOf(test, person);
  const { data: charges } = await test.deps.stripe.charges.list({ customer });
  await test.deps.stripe.refunds.create({ charge: charges[0]!.id, amount: 107 });
  await test.settle();
  expect(await figuresNow()).toMatchObject({
    mrr_end: 499,
    collected: 499,
    refunds: 100,
    revenue: 399,
    tax: 29,
  });
  // What the refund left of the month, and its tax, reduce the first year.
  const change = await call<PlanPreview>(person, 'plan/preview?action=switch&plan=yearly');
  expect(change).toMatchObject({
    charge_now_cents: 5361 - 535,
    next_charge: { amount_cents: 5361 },
  });
});

it('switches the plan of a taxed trial that ends without a charge', async () => {
  const person = await living('US-CA');
  await call(person, 'plan/cancel', {});
  expect(await call<PlanView>(person, 'plan/switch', { plan: 'yearly' })).toMatchObject({
    ...{ plan: 'yearly', next_charge: null, cancel_at_period_end: true },
  });
  const shown = await call<PlanView>(person, 'plan/undo-cancel', {});
  expect(shown).toMatchObject({ plan: 'yearly', next_charge: { amount_cents: 5361 } });
});

it('adds tax to a gift, shows it on the receipt, and keeps it out of revenue', async () => {
  const before = await figuresNow();
  const buyer_email = 'grace@buyers.test';
  const gift = { months: 3, buyer_name: 'Grace Giver', buyer_email, origin_url: origin };
  const url = '/gifts/checkout';
  const opened = await test.app.inject({ method: 'POST', url, payload: gift });
  const { session_id } = opened.json<GiftCheckout>();
  await test.sandbox.call(`/sandbox/checkout/${session_id}/complete`, { place: 'US-CA' });
  await test.settle();
  const [mail] = await test.mails(buyer_email);
  expect(mail?.text).toContain('We charged your card $16.06 for 3 months');
  expect(mail?.text).toContain('Tax: $1.09\nAmount: $16.06');
  const after = await figuresNow();
  const grown = ['collected', 'revenue', 'tax', 'mrr_end'].map(
    (id) => (after[id] ?? 0) - (before[id] ?? 0),
  );
  expect(grown).toEqual([1497, 1497, 109, 0]);
});

it('shows the next charge without tax while the provider refuses to compute it', async () => {
  const person = await living('US-CA');
  const { invoices } = test.deps.stripe;
  const refused = new Stripe.errors.StripeInvalidRequestError({
    ...{ message: 'The address is unknown.', type: 'invalid_request_error' },
    code: 'customer_tax_location_invalid',
  });
  const previews = vi.spyOn(invoices, 'createPreview').mockRejectedValue(refused);
  await call(person, 'plan/cancel', {});
  const shown = await call<PlanView>(person, 'plan/undo-cancel', {});
  expect(previews).toHaveBeenCalled();
  previews.mockRestore();
  expect(shown.next_charge).toEqual({ at: expect.any(String), amount_cents: 499 });
});

it('sets how tax is added to existing prices, once, and keeps the product of all prices', async () => {
  const { stripe, catalogues, log } = test.deps;
  const { monthly, yearly } = catalogues.usd.plans;
  const plans = {
    monthly: { ...monthly, price_cents: 777 },
    yearly: { ...yearly, price_cents: 7777 },
  };
  const [existing] = (await stripe.prices.list({ lookup_keys: ['monthly_499_usd'] })).data;
  const { id } = await stripe.prices.create({
    ...{ product: existing!.product as string, currency: 'usd', unit_amount: 777 },
    ...{ recurring: { interval: 'month' }, lookup_key: 'monthly_777_usd' },
  });
  const start = () =>
    createPrices({
      ...{ stripe, log, productName: 'Daylift', sold: ['usd'] },
      catalogues: { ...catalogues, usd: { ...catalogues.usd, plans } },
    });
  expect(await start().find('monthly', 'usd')).toBe(id);
  expect(await start().find('monthly', 'usd')).toBe(id);
  const lookup_keys = ['monthly_777_usd', 'yearly_7777_usd'];
  const { data } = await stripe.prices.list({ lookup_keys });
  expect(data.map(({ tax_behavior }) => tax_behavior)).toEqual(['exclusive', 'exclusive']);
  const { data: all } = await stripe.prices.list({ limit: 100 });
  const ofPlans = all.filter(({ recurring }) => recurring !== null);
  expect(new Set(ofPlans.map(({ product }) => product)).size).toBe(1);
});
