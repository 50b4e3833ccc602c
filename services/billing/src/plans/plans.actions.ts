import { setTimeout as delay } from 'node:timers/promises';
import type { PlanPreview, PlanView } from '@daylift/contracts/billing.http';
import type Stripe from 'stripe';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import {
  CardDeclined,
  NoSubscription,
  NothingOwed,
  PaymentDeclined,
  PaymentUnconfirmed,
  PlanUnavailable,
  PriceChanged,
  SamePlan,
} from '../errors.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import {
  isProviderError,
  isRefusal,
  isRefusedCard,
  keepsItsKey,
  needsConfirmation,
} from '../stripe-client.ts';
import { applyFreeTime } from '../subscriptions/free-time.ts';
import { listOpenInvoices } from '../subscriptions/provider-subscription.ts';
import {
  clearStop,
  findSubscription,
  isChanging,
  restoreStop,
  type Subscription,
} from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { finishChange, resumeChange } from './finish-change.ts';
import { findRefusal, isReached, type WantedChange } from './plan-actions.ts';
import {
  beginChange,
  isTrialEnding,
  type PlanChange,
  recheckAfterMs,
  releaseChange,
} from './plan-changes.repository.ts';
import { clearCancellation, quoteOf } from './plan-quote.ts';
import { findPlanView } from './plan-view.ts';

/** Maximum wait for a change in progress, such as the user's own first click. Wall clock. */
const patienceMs = 20_000;
const pollMs = 50;

/** A requested change, with the amount shown for it. */
export type RequestedChange = WantedChange & { charge_now_cents?: number | undefined };

/** Returns the price of a change, computed by the provider. */
export async function previewPlan(
  deps: BillingDeps,
  userId: string,
  wanted: WantedChange & { action: 'upgrade' | 'switch' },
): Promise<PlanPreview> {
  await findPlanView(deps, userId);
  const row = await findSubscription(deps.db, userId);
  const refusal = findRefusal(row, wanted, deps.clock.now());
  if (row === undefined || refusal !== null) throw refusal ?? new NoSubscription();
  if (wanted.action === 'switch' && row.plan === wanted.plan) throw new SamePlan();
  try {
    const { preview } = await quoteOf(deps, await readLive(deps, row), wanted);
    return preview;
  } catch (error) {
    throw unavailable(deps, error, wanted.action);
  }
}

/**
 * Changes a subscription once, however often it is requested concurrently: one caller holds the user's slot, the
 * others wait and find it done.
 */
export async function changePlan(
  deps: BillingDeps,
  userId: string,
  requested:
    | RequestedChange
    | { action: 'cancel' | 'undo_cancel' | 'pay'; charge_now_cents?: number },
): Promise<PlanView> {
  const { plan } = await findPlanView(deps, userId);
  const wanted: RequestedChange = { plan, ...requested };
  return whenFree(deps, userId, async () => {
    if (await isDone(deps, userId, wanted)) return findPlanView(deps, userId);
    const claimed = await begin(deps, userId, wanted);
    if (claimed === undefined) return null;
    await applyChange(deps, claimed, wanted);
    return findPlanView(deps, userId);
  });
}

/** Repeats an attempt that returns null while a change of the user is in progress, and resumes one that was left open. */
export async function whenFree<T>(
  deps: BillingDeps,
  userId: string,
  attempt: () => Promise<T | null>,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const result = await attempt();
    if (result !== null) return result;
    const isResumed = await resumeChange(deps, userId).catch((error: unknown) => {
      throw unavailable(deps, error);
    });
    if (!isResumed) await delay(pollMs);
  }
  throw new PlanUnavailable();
}

async function isDone(
  { db, clock }: BillingDeps,
  userId: string,
  wanted: WantedChange,
): Promise<boolean> {
  // Rejects nothing while a change is in progress, because the state is about to differ.
  if (await isChanging(db, userId)) return false;
  const row = await findSubscription(db, userId);
  if (row !== undefined && isReached(row, wanted)) return true;
  const refusal = findRefusal(row, wanted, clock.now());
  if (refusal !== null) throw refusal;
  return false;
}

async function begin({ db, clock }: BillingDeps, userId: string, wanted: RequestedChange) {
  const now = clock.now();
  const { action, plan } = wanted;
  return db.transaction().execute(async (trx) => {
    // Waits for a gift that is being redeemed, so its free time is seen.
    await lockCustomer(trx, userId);
    // Both would charge.
    const charges = action === 'upgrade' || action === 'switch';
    if (charges && (await isTrialEnding(trx, userId))) return undefined;
    const claimed = await beginChange(trx, userId, { action, plan }, now);
    const later = new Date(now.getTime() + recheckAfterMs);
    if (claimed !== undefined) await enqueueTask(trx, 'finish_plan_change', [userId], later);
    return claimed;
  });
}

/** Reads the state, requests the change and reads again. A lost response leaves the change open for a later check. */
async function applyChange(
  deps: BillingDeps,
  claimed: PlanChange,
  wanted: RequestedChange,
): Promise<void> {
  const { subscription, request } = await prepare(deps, claimed, wanted).catch(
    async (error: unknown) => {
      await releaseChange(deps.db, claimed, over(claimed));
      throw await reasonOf(deps, error, claimed.user_id, wanted);
    },
  );
  if (request === null) return releaseChange(deps.db, claimed, over(claimed));
  const stoppedAt = request.endsStop ? await clearStop(deps.db, claimed.user_id) : null;
  try {
    await request.send();
  } catch (error) {
    const refused = isRefusal(error);
    if (refused) await restoreStop(deps.db, claimed.user_id, stoppedAt);
    // Of several invoices, some may be paid. A lost response is read again when the open change is taken up.
    if (refused && wanted.action === 'pay') {
      await syncSubscription(deps, subscription.id).catch(() => null);
      // The automatic charge of the new card came first.
      if (isReached(await requireRow(deps, claimed.user_id), wanted))
        return finishChange(deps, claimed);
    }
    await releaseChange(deps.db, claimed, {
      is_open: !refused,
      attempt: keepsItsKey(error) ? claimed.attempt : claimed.attempt + 1,
    });
    throw await reasonOf(deps, error, claimed.user_id, wanted);
  }
  try {
    await syncSubscription(deps, subscription.id);
    await applyFreeTime(deps, subscription.id);
    await finishChange(deps, claimed);
  } catch (error) {
    await releaseChange(deps.db, claimed, { is_open: true, attempt: claimed.attempt });
    throw unavailable(deps, error, wanted.action);
  }
}

interface ProviderRequest {
  send: () => Promise<void>;
  /** The subscriber's own cancellation or undo overrides an earlier STOP. */
  endsStop: boolean;
}

/** Returns what to request from the provider, by its current state, or null if nothing is left to do. */
async function prepare(
  deps: BillingDeps,
  claimed: PlanChange,
  wanted: RequestedChange,
): Promise<{ subscription: Stripe.Subscription; request: ProviderRequest | null }> {
  const row = await requireRow(deps, claimed.user_id);
  // Free time given just before starts after the time paid so far, not after what this change pays.
  if (row.stripe_subscription_id !== null) await applyFreeTime(deps, row.stripe_subscription_id);
  const subscription = await readLive(deps, row);
  const fresh = await requireRow(deps, claimed.user_id);
  if (isReached(fresh, wanted)) return { subscription, request: null };
  const refusal = findRefusal(fresh, wanted, deps.clock.now());
  if (refusal !== null) throw refusal;
  const request =
    wanted.action === 'pay'
      ? await payOwed(deps, claimed, subscription, wanted)
      : await updatePlan(deps, claimed, subscription, wanted);
  return { subscription, request };
}

/** Pays the open invoices, oldest first. A retry after a lost response gets the first attempt's result. */
async function payOwed(
  { stripe }: BillingDeps,
  claimed: PlanChange,
  { id }: Stripe.Subscription,
  wanted: RequestedChange,
): Promise<ProviderRequest> {
  const invoices = await listOpenInvoices(stripe, id);
  if (invoices.length === 0) throw new NothingOwed();
  checkPrice(
    wanted,
    invoices.reduce((total, invoice) => total + invoice.amount_remaining, 0),
  );
  const send = async () => {
    for (const invoice of invoices)
      await stripe.invoices.pay(invoice.id, {}, { idempotencyKey: keyOf(claimed, invoice.id) });
  };
  return { send, endsStop: false };
}

async function updatePlan(
  deps: BillingDeps,
  claimed: PlanChange,
  subscription: Stripe.Subscription,
  wanted: RequestedChange,
): Promise<ProviderRequest> {
  const update = await updateFor(deps, subscription, wanted);
  const idempotencyKey = keyOf(claimed, update.proration_date);
  return {
    send: async () => {
      await deps.stripe.subscriptions.update(subscription.id, update, { idempotencyKey });
    },
    endsStop: wanted.action === 'cancel' || liftsEnd(update),
  };
}

const over = ({ attempt }: PlanChange) => ({ is_open: false, attempt: attempt + 1 });

async function requireRow({ db }: BillingDeps, userId: string): Promise<Subscription> {
  const row = await findSubscription(db, userId);
  if (row === undefined) throw new NoSubscription();
  return row;
}

async function readLive(deps: BillingDeps, row: Subscription): Promise<Stripe.Subscription> {
  const { stripe_subscription_id: id } = row;
  const found = id === null ? null : await syncSubscription(deps, id);
  if (found === null) throw new NoSubscription();
  return found;
}

async function updateFor(
  deps: BillingDeps,
  subscription: Stripe.Subscription,
  wanted: RequestedChange,
): Promise<Stripe.SubscriptionUpdateParams> {
  if (wanted.action === 'cancel') return { cancel_at_period_end: true };
  if (wanted.action === 'undo_cancel') return clearCancellation(subscription);
  const { preview, update } = await quoteOf(deps, subscription, wanted);
  checkPrice(wanted, preview.charge_now_cents);
  return update;
}

function checkPrice({ charge_now_cents: shown }: RequestedChange, cents: number): void {
  if (shown !== undefined && shown !== cents) throw new PriceChanged();
}

const liftsEnd = (update: Stripe.SubscriptionUpdateParams): boolean =>
  update.cancel_at_period_end === false || update.cancel_at === '';

/** A retry with the same key gets the first attempt's response. */
function keyOf(change: PlanChange, of: string | number = ''): string {
  return `plan:${change.user_id}:${change.action}:${change.plan}:${change.attempt}:${of}`;
}

/** Returns the error for a failed change. If the provider refused it, the plan may have ended since it was read. */
async function reasonOf(
  deps: BillingDeps,
  error: unknown,
  userId: string,
  wanted: WantedChange,
): Promise<unknown> {
  if (isRefusal(error) && !isRefusedCard(error)) {
    await readLive(deps, await requireRow(deps, userId)).catch(() => null);
    const row = await findSubscription(deps.db, userId);
    const refusal = findRefusal(row, wanted, deps.clock.now());
    if (refusal !== null) return refusal;
  }
  return unavailable(deps, error, wanted.action);
}

function unavailable(deps: BillingDeps, error: unknown, action?: WantedChange['action']): unknown {
  if (!isProviderError(error)) return error;
  if (action === 'pay' && needsConfirmation(error)) return new PaymentUnconfirmed();
  if (isRefusedCard(error)) return action === 'pay' ? new PaymentDeclined() : new CardDeclined();
  deps.log.error({ err: error }, 'plan change or preview failed');
  return new PlanUnavailable();
}
