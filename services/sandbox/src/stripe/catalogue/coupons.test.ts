import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, openShop, type Shop } from '../../../test/stripe-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

async function codeOf(
  coupon: Parameters<Shop['stripe']['coupons']['create']>[0],
  terms: { max_redemptions?: number; first_time_transaction?: boolean } = {},
) {
  const { id } = await shop.stripe.coupons.create(coupon);
  const { first_time_transaction, ...rest } = terms;
  return shop.stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: id },
    code: `C${id}`,
    ...rest,
    ...(first_time_transaction && { restrictions: { first_time_transaction } }),
  });
}
const buy = async (promotion_code: string, trial_days: number | null, customer?: string) => {
  const { id } = await shop.checkout({
    trial_days,
    discounts: [{ promotion_code }],
    ...(customer && { customer }),
  });
  expect((await shop.complete(id)).status).toBe(200);
  const done = await shop.stripe.checkout.sessions.retrieve(id);
  return { session: done, subscription: done.subscription as string };
};
const billsOf = async (subscription: string) => {
  const { data } = await shop.stripe.invoices.list({ subscription });
  return data.map(({ subtotal, total, amount_paid }) => [subtotal, total, amount_paid]).reverse();
};

it('applies a repeating coupon to the invoices of its months, and ends it', async () => {
  const code = await codeOf({ percent_off: 50, duration: 'repeating', duration_in_months: 2 });
  const { session, subscription } = await buy(code.id, null);
  expect(session).toMatchObject({ amount_subtotal: 499, amount_total: 249 });
  const running = await shop.stripe.subscriptions.retrieve(subscription, {
    expand: ['discounts.source.coupon'],
  });
  expect(running.discounts).toMatchObject([
    { promotion_code: code.id, source: { coupon: { percent_off: 50 } } },
  ]);
  const preview = await shop.stripe.invoices.createPreview({
    subscription,
    subscription_details: {
      items: [{ id: running.items.data[0]!.id, price: shop.yearly.id }],
      proration_behavior: 'always_invoice',
    },
  });
  // The unused time is credited at what was billed.
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-249, 4999]);
  expect(preview.total).toBe(-249 + 4999 - 2500);
  await shop.advance(95 * DAY);
  expect(await billsOf(subscription)).toEqual([
    [499, 249, 249],
    [499, 249, 249],
    [499, 499, 499],
    [499, 499, 499],
  ]);
  expect((await shop.stripe.subscriptions.retrieve(subscription)).discounts).toEqual([]);
  expect(await shop.stripe.promotionCodes.retrieve(code.id)).toMatchObject({ times_redeemed: 1 });
});

it("uses up a one-time coupon with a trial's $0 invoice, and accepts it again", async () => {
  const code = await codeOf({ amount_off: 200, currency: 'usd', duration: 'once' });
  const { session, subscription } = await buy(code.id, 3);
  expect(session.amount_total).toBe(0);
  expect((await shop.stripe.subscriptions.retrieve(subscription)).discounts).toEqual([]);
  const coupon = code.promotion.coupon as string;
  await shop.stripe.subscriptions.update(subscription, { discounts: [{ coupon }] });
  await shop.advance(40 * DAY);
  expect(await billsOf(subscription)).toEqual([
    [0, 0, 0],
    [499, 299, 299],
    [499, 499, 499],
  ]);
});

it('rejects a code that is used up, inactive, or only for customers who have never paid', async () => {
  const once = await codeOf({ percent_off: 10, duration: 'forever' }, { max_redemptions: 1 });
  const { session } = await buy(once.id, null);
  const discounts = [{ promotion_code: once.id }];
  const refusal = { statusCode: 400, param: 'discounts[0][promotion_code]' };
  await expect(shop.checkout({ discounts })).rejects.toMatchObject(refusal);
  const first = await codeOf(
    { percent_off: 10, duration: 'forever' },
    { first_time_transaction: true },
  );
  const secondUse = {
    discounts: [{ promotion_code: first.id }],
    customer: session.customer as string,
  };
  await expect(shop.checkout(secondUse)).rejects.toMatchObject(refusal);
  await shop.stripe.promotionCodes.update(first.id, { active: false });
  await expect(shop.checkout({ discounts: secondUse.discounts })).rejects.toMatchObject(refusal);
});
