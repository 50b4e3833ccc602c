import type { AdminRole } from '@daylift/contracts/fields';
import { defaultCurrency, type PlanId, planIds } from '@daylift/contracts/plans';
import type {
  CreatePromotionRequest,
  Promotion as Shown,
} from '@daylift/contracts/promotions.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingStaff } from '../acting-staff.ts';
import { soldCurrencies } from '../customers/currency.ts';
import type { BillingDeps } from '../deps.ts';
import { endOfDate } from '../end-of-date.ts';
import {
  OverOperatorLimit,
  PromotionCodeTaken,
  PromotionInPast,
  PromotionTooLarge,
  PromotionTooSmall,
  RequestKeyReused,
  UnknownPromotion,
} from '../errors.ts';
import { money } from '../notices/words.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { smallestChargeCents } from '../subscriptions/settle-bill.ts';
import { discountedPayments, discountOf, promotionWords } from './promotion-price.ts';
import {
  type CountedPromotion,
  findPromotion,
  insertPromotion,
  listPromotions,
  lockPromotion,
  type Promotion,
  updatePromotion,
} from './promotions.repository.ts';

/** Trials can be two years long at the provider, and free days come on top of the usual trial. */
const maxValues = { percent: 100, amount: 1_000_000, free_days: 700 };

/** Creates a promotion. A request with the same key returns what the first one created. */
export async function createPromotion(
  deps: BillingDeps,
  wanted: CreatePromotionRequest,
  by: ActingStaff,
): Promise<Shown> {
  const { clock, operatorTimeZone } = deps;
  const now = clock.now();
  const highest = maxValues[wanted.kind];
  if (wanted.value > highest) throw new PromotionTooLarge(highest);
  const { request_key: id, expires_on, ...terms } = wanted;
  const isFreeDays = terms.kind === 'free_days';
  const promotion: Promotion = {
    id,
    ...terms,
    currency: terms.kind === 'amount' ? (terms.currency ?? defaultCurrency) : defaultCurrency,
    code: terms.code.trim().toUpperCase(),
    months: isFreeDays ? null : terms.months,
    first_time_only: isFreeDays || terms.first_time_only,
    expires_at: expires_on === null ? null : endOfDate(expires_on, operatorTimeZone),
    created_at: now,
    created_by: by.username,
    deactivated_at: null,
    provider_id: null,
  };
  const known = await findPromotion(deps.db, id);
  if (known !== undefined && !isSame(known, promotion)) throw new RequestKeyReused();
  if (known === undefined) {
    if (promotion.expires_at !== null && promotion.expires_at <= now) throw new PromotionInPast();
    rejectTooSmall(deps, promotion);
    rejectOverLimit(deps, promotion, by.role);
    await deps.db.transaction().execute(async (trx) => {
      if (!(await insertPromotion(trx, promotion))) {
        if ((await findPromotion(trx, id)) !== undefined) return;
        throw new PromotionCodeTaken();
      }
      const details = {
        code: promotion.code,
        gives: promotionWords(promotion),
        ...(promotion.plan !== null && { plan: promotion.plan }),
        ...(promotion.max_uses !== null && { max_uses: promotion.max_uses }),
        ...(promotion.first_time_only && { first_time_only: true }),
        ...(promotion.expires_at !== null && { expires_at: promotion.expires_at.toISOString() }),
      };
      await publishAdminAction(
        trx,
        'billing',
        by,
        { action: 'promotion.created', target: id, details },
        now,
      );
      await enqueueTask(trx, 'sync_promotion', [id], now);
    });
    deps.wake('provider-tasks');
  }
  return showOne(deps, id);
}

function isSame(known: Promotion, wanted: Promotion): boolean {
  const termsOf = (one: Promotion) =>
    JSON.stringify([
      ...[one.code, one.kind, one.value, one.currency, one.months, one.plan, one.max_uses],
      ...[one.first_time_only, one.expires_at?.getTime() ?? null],
    ]);
  return termsOf(known) === termsOf(wanted);
}

const plansOf = ({ plan }: Promotion): PlanId[] => (plan === null ? planIds : [plan]);

/** The provider charges nothing below its minimum, and adds it to the balance instead. */
function rejectTooSmall(deps: BillingDeps, promotion: Promotion): void {
  for (const { currency, price_cents } of pricesOf(deps, promotion)) {
    const left = price_cents - discountOf(promotion, price_cents);
    const smallest = smallestChargeCents[currency];
    if (left > 0 && left < smallest)
      throw new PromotionTooSmall(money(left, currency), money(smallest, currency));
  }
}

/** Returns the prices that a promotion may apply to. */
function pricesOf(deps: BillingDeps, promotion: Promotion) {
  const sold = promotion.kind === 'amount' ? [promotion.currency] : soldCurrencies(deps);
  return sold.flatMap((currency) =>
    plansOf(promotion).map((plan) => ({ currency, ...deps.catalogues[currency].plans[plan] })),
  );
}

/** An operator's code may give one subscriber no more than the operator could give them directly. */
function rejectOverLimit(deps: BillingDeps, promotion: Promotion, role: AdminRole): void {
  if (role === 'owner') return;
  const { operatorLimits } = deps;
  if (promotion.kind === 'free_days') {
    if (promotion.value > operatorLimits.days)
      throw new OverOperatorLimit(`${operatorLimits.days} free days`);
    return;
  }
  for (const { id, currency, price_cents } of pricesOf(deps, promotion)) {
    const payments = discountedPayments(promotion, id) ?? Number.POSITIVE_INFINITY;
    if (payments * discountOf(promotion, price_cents) > operatorLimits.cents)
      throw new OverOperatorLimit(money(operatorLimits.cents, currency));
  }
}

/** Ends a promotion for new checkouts. Open checkouts and running discounts keep the price that they showed. */
export async function deactivatePromotion(
  deps: BillingDeps,
  id: string,
  by: ActingStaff,
): Promise<Shown> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const promotion = await lockPromotion(trx, id);
    if (promotion === undefined) throw new UnknownPromotion();
    if (promotion.deactivated_at !== null) return;
    await updatePromotion(trx, id, { deactivated_at: now });
    const details = { code: promotion.code };
    const action = { action: 'promotion.deactivated', target: id, details };
    await publishAdminAction(trx, 'billing', by, action, now);
    await enqueueTask(trx, 'sync_promotion', [id], now);
  });
  deps.wake('provider-tasks');
  return showOne(deps, id);
}

async function showOne(deps: BillingDeps, id: string): Promise<Shown> {
  const { rows } = await listPromotions(deps.db, { limit: 1, offset: 0, id });
  return show(deps, rows[0]!);
}

export function show(
  { clock, product }: Pick<BillingDeps, 'clock' | 'product'>,
  { provider_id: _, deactivated_at, created_at, expires_at, ...promotion }: CountedPromotion,
): Shown {
  const { code, max_uses, uses, plan } = promotion;
  const isExpired = expires_at !== null && expires_at <= clock.now();
  const link = new URLSearchParams({ ...(plan !== null && { plan }), promo: code });
  return {
    ...promotion,
    gives: promotionWords(promotion),
    state:
      deactivated_at !== null
        ? 'inactive'
        : isExpired
          ? 'expired'
          : max_uses !== null && uses >= max_uses
            ? 'used_up'
            : 'active',
    expires_at: expires_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    url: `${product.publicUrl}/signup?${link}`,
  };
}
