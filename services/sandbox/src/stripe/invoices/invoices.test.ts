import fc from 'fast-check';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, openShop, type Shop } from '../../../test/stripe-shop.ts';
import { applyBalance } from './balance-application.ts';

let shop: Shop;
let stripe: Stripe;
beforeAll(async () => {
  shop = await openShop();
  stripe = shop.stripe;
});
afterAll(() => shop.close());

const HOUR = 3600;
const credit = (customer: string, amount: number) =>
  stripe.customers.createBalanceTransaction(customer, { amount, currency: 'usd' });
const balanceOf = async (customer: string) =>
  ((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance;
const latest = async (subscription: string) =>
  (await stripe.invoices.list({ subscription, limit: 1 })).data[0]!;

describe('the customer’s credit', () => {
  it('is applied to the next non-zero invoice, with a balance transaction', async () => {
    const { subscription, customer } = await shop.subscriber();
    const entry = await credit(customer, -125);
    expect(entry).toMatchObject({ type: 'adjustment', amount: -125, ending_balance: -125 });
    const changed = await shop.hook('customer.updated', ({ id }) => id === customer);
    expect(changed.data.previous_attributes).toMatchObject({ balance: 0 });
    await shop.advance(3 * DAY + HOUR);
    const invoice = await latest(subscription);
    expect(invoice).toMatchObject({
      total: 499,
      starting_balance: -125,
      ending_balance: 0,
      amount_due: 374,
      amount_paid: 374,
    });
    const entries = await stripe.customers.listBalanceTransactions(customer);
    expect(entries.data.map(({ type, amount }) => [type, amount])).toEqual([
      ['applied_to_invoice', 125],
      ['adjustment', -125],
    ]);
    expect(entries.data[0]!.invoice).toBe(invoice.id);
  });

  it('is returned if its invoice is voided before it was paid', async () => {
    await shop.test.post('/sandbox/faults', { stripe: { charge_decline: 'insufficient_funds' } });
    const { subscription, customer } = await shop.subscriber();
    await credit(customer, -125);
    await shop.advance(3 * DAY + HOUR);
    await shop.test.post('/sandbox/faults', { reset: true });
    const { id, status } = await latest(subscription);
    expect([status, await balanceOf(customer)]).toEqual(['open', 0]);
    await stripe.invoices.voidInvoice(id);
    expect(await balanceOf(customer)).toBe(-125);
    const [entry] = (await stripe.customers.listBalanceTransactions(customer)).data;
    expect(entry).toMatchObject({ type: 'unapplied_from_invoice', amount: -125, invoice: id });
  });

  it('that covers the whole invoice pays it without a charge', async () => {
    const { subscription, customer } = await shop.subscriber();
    await credit(customer, -600);
    await shop.advance(3 * DAY + HOUR);
    expect(await latest(subscription)).toMatchObject({
      status: 'paid',
      amount_due: 0,
      amount_paid: 0,
      attempt_count: 0,
      starting_balance: -600,
      ending_balance: -101,
    });
    expect((await stripe.charges.list({ customer })).data).toEqual([]);
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -101 });
  });

  it('that leaves less than 50 cents to pay adds the rest to the balance for the next invoice', async () => {
    const { subscription, customer } = await shop.subscriber();
    await credit(customer, -480);
    await shop.advance(3 * DAY + HOUR);
    const invoice = await latest(subscription);
    expect(invoice).toMatchObject({ status: 'paid', amount_due: 0, ending_balance: 19 });
    const entries = await stripe.customers.listBalanceTransactions(customer);
    expect(entries.data.map(({ type, amount }) => [type, amount])).toEqual([
      ['invoice_too_small', 19],
      ['applied_to_invoice', 480],
      ['adjustment', -480],
    ]);
    await shop.advance(32 * DAY);
    expect(await latest(subscription)).toMatchObject({ amount_paid: 518, ending_balance: 0 });
  });

  it("is not used up by a trial's $0 invoice", async () => {
    const { customer } = await shop.subscriber();
    await credit(customer, -125);
    const second = await shop.subscriber({ customer });
    const invoice = await latest(second.subscription);
    expect(invoice).toMatchObject({ total: 0, starting_balance: -125, ending_balance: -125 });
  });
});

it('applying a balance to an invoice loses no cent', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -20_000, max: 20_000 }),
      fc.integer({ min: -20_000, max: 20_000 }),
      fc.constantFrom(['usd', 50] as const, ['gbp', 30] as const),
      (total, balance, [currency, smallest]) => {
        const applied = applyBalance(total, balance, currency);
        const booked = applied.bookings.reduce((sum, booking) => sum + booking.amount, 0);
        expect(applied.starting_balance + booked).toBe(applied.ending_balance);
        expect(applied.amount_due).toBe(total === 0 ? 0 : total + balance - applied.ending_balance);
        expect(applied.amount_due === 0 || applied.amount_due >= smallest).toBe(true);
      },
    ),
  );
});

describe('a preview', () => {
  it('of a plan change equals what the change then charges', async () => {
    const { subscription } = await shop.subscriber({ trial_days: null });
    await shop.advance(7 * DAY);
    const { items } = await stripe.subscriptions.retrieve(subscription);
    const change = [{ id: items.data[0]!.id, price: shop.yearly.id }];
    const preview = await stripe.invoices.createPreview({
      subscription,
      subscription_details: { items: change },
    });
    expect((await stripe.invoices.list({ subscription })).data).toHaveLength(1);
    await stripe.subscriptions.update(subscription, { items: change });
    const charged = await latest(subscription);
    // A second may pass between the two, which is worth less than a cent.
    expect(Math.abs(charged.total - preview.total)).toBeLessThanOrEqual(1);
  });
});
