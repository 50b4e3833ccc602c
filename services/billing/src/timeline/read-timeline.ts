import type { AdminSubscription } from '@daylift/contracts/timeline.http';
import type {
  BillingPart,
  Standing,
  SubscriptionSnapshot,
} from '@daylift/contracts/timeline-parts.http';
import { findCatalogue } from '../customers/currency.ts';
import type { BillingDeps } from '../deps.ts';
import { describeDispute } from '../disputes/describe-dispute.ts';
import { findDisputes } from '../disputes/disputes.repository.ts';
import { findGiftsRedeemedBy, giftEnd } from '../gifts/gifts.repository.ts';
import { listUserInvoices } from '../invoices/user-invoices.ts';
import { findLostDays } from '../lost-days/lost-days.repository.ts';
import { findPlanView } from '../plans/plan-view.ts';
import { findChangesOf } from '../price-changes/price-changes.repository.ts';
import { taskFailedWords } from '../staff-actions/staff-rules.ts';
import { stateOf } from '../subscriptions/subscription-changes.ts';
import { findSubscription } from '../subscriptions/subscriptions.repository.ts';
import {
  findCredits,
  findFirstVersion,
  findInvoices,
  findRefunds,
  findStaffActions,
  findSubscriptionChanges,
  findVersions,
  type SubscriptionChange,
  type TimelineRange,
} from './timeline.repository.ts';

type Deps = Pick<BillingDeps, 'db' | 'catalogues' | 'countryCurrencies'>;

export async function readTimelinePart(
  deps: Deps,
  userId: string,
  kinds: string[],
  range: TimelineRange,
): Promise<BillingPart> {
  const { db } = deps;
  const { currency } = await findCatalogue(db, deps, userId);
  const money = kinds.includes('payments');
  const [changes, invoices, refunds, disputes, credits, lostDays, staffActions, prices, gifts] =
    await Promise.all([
      kinds.includes('changes') ? findSubscriptionChanges(db, userId, range) : [],
      money ? findInvoices(db, userId, range) : [],
      money ? findRefunds(db, userId, range) : [],
      money ? findDisputes(db, userId, range) : [],
      money ? findCredits(db, userId, range) : [],
      money ? findLostDays(db, userId, range) : [],
      money ? findStaffActions(db, userId, range) : [],
      money ? findChangesOf(db, userId) : [],
      money ? findGiftsRedeemedBy(db, userId, range) : [],
    ]);
  const earlier = await findVersions(
    db,
    userId,
    changes.map((one) => one.version - 1),
  );
  return {
    changes: changes.map((after) => {
      const before = earlier.find((one) => one.version === after.version - 1);
      return { after: snapshotOf(after), before: before === undefined ? null : snapshotOf(before) };
    }),
    invoices: invoices.map((one) => ({
      ...one,
      created_at: one.created_at.toISOString(),
      paid_at: text(one.paid_at),
    })),
    refunds: refunds.map(({ admin, reason, ...one }) => ({
      ...one,
      created_at: one.created_at.toISOString(),
      ...(admin !== null && { staff: { admin, reason: reason ?? '' } }),
    })),
    disputes: disputes.map(describeDispute),
    credits: credits.map((one) => ({
      ...one,
      currency,
      paid_at: one.paid_at.toISOString(),
    })),
    lost_days: lostDays.map(
      ({ local_date, outcome, reason, decision, credit_cents, settled_at }) => ({
        ...{ local_date, outcome, reason, decision, credit_cents },
        currency,
        settled_at: settled_at.toISOString(),
      }),
    ),
    staff_actions: staffActions.map(({ created_at, until, ...one }) => ({
      ...one,
      currency,
      error: one.error ?? (one.state === 'failed' ? taskFailedWords : null),
      until: text(until),
      at: created_at.toISOString(),
    })),
    gifts: gifts.map((gift) => ({
      ...{ id: gift.id, months: gift.months },
      ...{ at: text(gift.redeemed_at) ?? '', until: text(giftEnd(gift)) ?? '' },
      ...(gift.taken_back_ms !== null && { returned: true as const }),
    })),
    price_changes: prices
      .filter(({ announced_at }) => announced_at >= (range.from ?? announced_at))
      .filter(({ announced_at }) => announced_at <= range.until)
      .map((one) => ({
        ...one,
        currency,
        announced_at: one.announced_at.toISOString(),
        effective_at: one.effective_at.toISOString(),
        declined_at: text(one.declined_at),
      })),
  };
}

/** Returns the subscription at a past instant, as far as the history goes back. */
export async function readStanding(
  { db }: Pick<BillingDeps, 'db'>,
  userId: string,
  at: Date,
): Promise<Standing> {
  const [then] = await findSubscriptionChanges(db, userId, { until: at, limit: 1 });
  if (then !== undefined) return { known: true, subscription: snapshotOf(then) };
  const first = await findFirstVersion(db, userId);
  if (first !== null) return { known: first === 1, subscription: null };
  return { known: (await findSubscription(db, userId)) === undefined, subscription: null };
}

/** Invoices on the page; older ones are in the timeline. */
const shownInvoices = 12;

export async function readSubscription(
  deps: BillingDeps,
  userId: string,
): Promise<AdminSubscription> {
  const view = await findPlanView(deps, userId);
  const [row, invoices, disputes] = await Promise.all([
    findSubscription(deps.db, userId),
    listUserInvoices(deps.db, userId, { limit: shownInvoices }),
    findDisputes(deps.db, userId),
  ]);
  return {
    ...view,
    started_at: text(row?.started_at ?? null),
    invoices,
    disputes: disputes.map(describeDispute),
  };
}

const text = (instant: Date | null): string | null => instant?.toISOString() ?? null;

const snapshotOf = (row: SubscriptionChange): SubscriptionSnapshot => ({
  version: row.version,
  changed_at: row.changed_at.toISOString(),
  actor: row.actor,
  ...(row.staff !== null && { staff: row.staff }),
  ...stateOf(row),
});
