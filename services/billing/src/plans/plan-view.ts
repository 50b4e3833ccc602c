import type { PlanView } from '@daylift/contracts/billing.http';
import { planIds } from '@daylift/contracts/plans';
import { catalogueFor } from '../customers/currency.ts';
import { creditOf, findOrFetchCustomer } from '../customers/customers.actions.ts';
import { mayHaveTrial } from '../customers/trial-uses.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { UnknownUser } from '../errors.ts';
import { findUpcomingCredit } from '../lost-days/lost-days.repository.ts';
import { findShownChange, type ShownChange } from '../price-changes/price-changes.repository.ts';
import { findOffer } from '../promotions/find-offer.ts';
import { firstChargeAfter } from '../subscriptions/free-time.ts';
import { findSubscription, type Subscription } from '../subscriptions/subscriptions.repository.ts';
import { actionsOf } from './plan-actions.ts';

type Deps = Pick<BillingDeps, 'db' | 'accounts' | 'catalogues' | 'countryCurrencies' | 'clock'>;

const text = (instant: Date | null): string | null => instant?.toISOString() ?? null;

export async function findPlanView(deps: Deps, userId: string): Promise<PlanView> {
  const customer = await findOrFetchCustomer(deps, userId);
  if (customer === undefined) throw new UnknownUser();
  const catalogue = catalogueFor(deps, customer);
  const [row, upcomingCredit, hasTrial] = await Promise.all([
    findSubscription(deps.db, userId),
    findUpcomingCredit(deps.db, userId),
    mayHaveTrial(deps.db, userId),
  ]);
  const change = row === undefined ? undefined : await findShownChange(deps.db, row);
  const offer =
    row === undefined
      ? null
      : await findOffer(deps.db, catalogue, { ...row, price_cents: nextPriceOf(row, change) });
  const plan = row?.plan ?? customer.plan;
  const { next_charge_at: at = null, next_charge_cents: cents = null } = row ?? {};
  const tax = row?.next_charge_tax_cents ?? null;
  const credit_cents = creditOf(customer);
  const now = deps.clock.now();
  const chargedAfter = firstChargeAfter(row, hasTrial, now);
  return {
    status: row?.status ?? 'pending',
    plan,
    price_cents: row?.price_cents ?? catalogue.plans[plan].price_cents,
    ...(offer !== null && { offer }),
    ...(row !== undefined && change !== undefined && priceChangeOf(row, change)),
    currency: catalogue.currency,
    trial_end_date: text(row?.trial_end ?? null),
    current_period_end: text(row?.current_period_end ?? null),
    cancel_at_period_end: row?.cancel_at_period_end ?? false,
    next_charge:
      at === null || cents === null
        ? null
        : {
            at: at.toISOString(),
            amount_cents: cents,
            ...(tax !== null && { tax_cents: tax }),
          },
    credit_cents,
    free_until: freeUntilOf(row, now),
    ...(chargedAfter !== null && { first_charge_at: chargedAfter.toISOString() }),
    // None while it isn't on the balance yet.
    lost_days:
      upcomingCredit.days > 0 && credit_cents >= upcomingCredit.credit_cents
        ? upcomingCredit
        : null,
    card:
      row?.card_brand == null || row.card_last4 === null
        ? null
        : { brand: row.card_brand, last4: row.card_last4 },
    owed: owedOf(row),
    // Free access continues.
    hold: row?.entitled ? null : (row?.hold ?? null),
    actions: actionsOf(row, customer.stripe_customer_id !== null, now),
    other_plan: planIds.find((one) => one !== plan) ?? plan,
  };
}

/** Returns the price of the next renewal. */
const nextPriceOf = (row: Subscription, change: ShownChange | undefined): number | null =>
  change?.state === 'applied' ? change.to_cents : row.price_cents;

/** Returns the announced price and its date. */
export function priceChangeOf(
  row: Subscription,
  { state, to_cents, effective_at, declined_at }: ShownChange,
): Required<Pick<PlanView, 'price_change'>> {
  const end = row.current_period_end ?? effective_at;
  const at = end > effective_at ? end : effective_at;
  const declined = state === 'announced' && declined_at !== null;
  return { price_change: { to_cents, at: at.toISOString(), declined } };
}

function freeUntilOf(row: Subscription | undefined, now: Date): string | null {
  const ends = [row?.comp_until ?? null, row?.free_until ?? null].filter((end) => end !== null);
  const last = Math.max(0, ...ends.map((end) => end.getTime()));
  return last > now.getTime() ? new Date(last).toISOString() : null;
}

function owedOf(row: Subscription | undefined): PlanView['owed'] {
  if (row?.status !== 'past_due' || row.owed_cents === null || row.past_due_since === null)
    return null;
  return {
    amount_cents: row.owed_cents,
    since: row.past_due_since.toISOString(),
    texts_until: row.entitled ? text(row.entitled_until) : null,
    card_declined: row.card_declined,
    confirm_url: row.confirm_url,
  };
}
