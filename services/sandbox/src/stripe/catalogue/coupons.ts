import { endpoint, listed, read } from '../api/endpoint.ts';
import {
  boolean,
  currency,
  hash,
  type Input,
  integer,
  integerBetween,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
} from '../api/params.ts';
import { invalidRequest, refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Coupon, type Customer, nulls, type PromotionCode } from '../state/objects.ts';

const couponParams = {
  amount_off: optional(integerBetween(1, 99_999_999)),
  currency: optional(currency),
  duration: oneOf('forever', 'once', 'repeating'),
  duration_in_months: optional(integerBetween(1, 1200)),
  id: optional(text),
  metadata: optional(metadata),
  name: optional(text),
  percent_off: optional(integerBetween(1, 100)),
};

function createCoupon(act: Act, input: Input<typeof couponParams>): Coupon {
  const { id = newId('', 8).slice(1), amount_off = null, percent_off = null } = input;
  if ((amount_off === null) === (percent_off === null))
    throw invalidRequest('You must pass exactly one of amount_off or percent_off.', {
      param: 'percent_off',
    });
  if (amount_off !== null && input.currency === undefined)
    throw invalidRequest('You must pass currency when passing amount_off.', { param: 'currency' });
  if ((input.duration === 'repeating') !== (input.duration_in_months !== undefined))
    throw invalidRequest('duration_in_months goes with the duration repeating.', {
      param: 'duration_in_months',
    });
  if (act.tables.coupons.find(id))
    throw refused('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
  const coupon: Coupon = {
    id,
    object: 'coupon',
    amount_off,
    created: act.at,
    currency: amount_off === null ? null : (input.currency ?? null),
    duration: input.duration,
    duration_in_months: input.duration_in_months ?? null,
    livemode: false,
    max_redemptions: null,
    metadata: patchMetadata({}, input.metadata),
    name: input.name ?? null,
    percent_off,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  };
  act.tables.coupons.save(coupon);
  act.emit('coupon.created', coupon);
  return coupon;
}

const codeParams = {
  code: text,
  expires_at: optional(integer),
  max_redemptions: optional(integerBetween(1, 1_000_000)),
  metadata: optional(metadata),
  promotion: hash({ coupon: text, type: oneOf('coupon') }),
  restrictions: optional(hash({ first_time_transaction: optional(boolean) })),
};

/** Adds a code. As at Stripe, another active one with the same text is rejected. */
function createCode(act: Act, input: Input<typeof codeParams>): PromotionCode {
  const { promotionCodes, coupons } = act.tables;
  const coupon = coupons.refer(input.promotion.coupon, 'promotion[coupon]');
  const taken = [...promotionCodes.all()].some(
    ({ object }) => object.active && object.code.toUpperCase() === input.code.toUpperCase(),
  );
  if (taken)
    throw refused('An active promotion code with `code` already exists.', { param: 'code' });
  const code: PromotionCode = {
    ...nulls('customer customer_account'),
    id: newId('promo'),
    object: 'promotion_code',
    active: true,
    code: input.code,
    created: act.at,
    expires_at: input.expires_at ?? null,
    livemode: false,
    max_redemptions: input.max_redemptions ?? null,
    metadata: patchMetadata({}, input.metadata),
    promotion: { coupon: coupon.id, type: 'coupon' },
    restrictions: {
      ...nulls('minimum_amount minimum_amount_currency'),
      first_time_transaction: input.restrictions?.first_time_transaction ?? false,
    },
    times_redeemed: 0,
  };
  promotionCodes.save(code);
  act.emit('promotion_code.created', code);
  return code;
}

/** Returns the code and its coupon, or throws why this customer can't redeem it. */
export function redeemableCode(
  act: Act,
  id: string,
  { customer, currency }: { customer: Customer | null; currency: string },
): { coupon: string; code: string } {
  const param = 'discounts[0][promotion_code]';
  const code = act.tables.promotionCodes.refer(id, param);
  const isOver =
    (code.expires_at !== null && code.expires_at <= act.at) ||
    (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions);
  if (!code.active || isOver) throw refused('This promotion code is not active.', { param });
  const hasPaid =
    customer !== null &&
    act.tables.charges.by('customer', customer.id).some(({ status }) => status === 'succeeded');
  if (code.restrictions.first_time_transaction && hasPaid)
    throw refused(
      'This promotion code cannot be redeemed because the associated customer has prior transactions.',
      { param },
    );
  const coupon = act.tables.coupons.get(code.promotion.coupon!);
  if (coupon.currency !== null && coupon.currency !== currency)
    throw refused(
      `This promotion code takes off ${coupon.currency}, but the purchase is in ${currency}.`,
      { param },
    );
  return { coupon: coupon.id, code: code.id };
}

/** Counts a redemption. */
export function redeem(act: Act, { coupon, code }: { coupon: string; code: string | null }): void {
  const { coupons, promotionCodes } = act.tables;
  const used = coupons.get(coupon);
  amend(act, coupons, used, { times_redeemed: used.times_redeemed + 1 }, 'coupon.updated');
  if (code === null) return;
  const shown = promotionCodes.get(code);
  const change = { times_redeemed: shown.times_redeemed + 1 };
  amend(act, promotionCodes, shown, change, 'promotion_code.updated');
}

export const couponEndpoints = [
  endpoint('POST', '/v1/coupons', couponParams, createCoupon),
  read('/v1/coupons', (tables) => tables.coupons),
  endpoint('POST', '/v1/promotion_codes', codeParams, createCode),
  endpoint('POST', '/v1/promotion_codes/:id', { active: boolean }, (act, { active }, id) => {
    const code = act.tables.promotionCodes.get(id);
    return amend(act, act.tables.promotionCodes, code, { active }, 'promotion_code.updated');
  }),
  read('/v1/promotion_codes', (tables) => tables.promotionCodes),
  listed('/v1/promotion_codes', (tables) => tables.promotionCodes, {
    active: optional(boolean),
    code: optional(text),
    coupon: optional(text),
  }),
];
