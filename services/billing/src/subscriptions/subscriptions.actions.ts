import { rememberCard } from '../cards/cards.repository.ts';
import {
  type Customer,
  findUserByStripeCustomer,
  lockCustomer,
  storeBalance,
} from '../customers/customers.repository.ts';
import { spendTrial, spendTrials } from '../customers/trial-uses.repository.ts';
import type { Trx } from '../database.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { reconsider } from '../referrals/referrals.actions.ts';
import { friendsWithCard } from '../referrals/referrals.repository.ts';
import { entitlementOf } from './entitlement.ts';
import { findHold } from './holds.repository.ts';
import type { ProviderSubscription } from './provider-subscription.ts';
import { publishSubscriptionChanged, snapshotText } from './subscription-changes.ts';
import {
  lockSubscription,
  putSubscription,
  type Subscription,
  updateSubscription,
} from './subscriptions.repository.ts';

interface Read {
  subscription: ProviderSubscription;
  ticket: number;
  refundEndsAccess: boolean;
}

/**
 * Stores what was just read at the provider. Whatever the order, number or delay of events, the row ends as the latest
 * read, and an event is published only if something changed.
 */
export async function applySubscription(trx: Trx, read: Read, now: Date): Promise<void> {
  const { subscription, ticket } = read;
  const customer = await lockOwner(trx, subscription);
  if (customer === undefined) return;
  const userId = customer.user_id;
  const row = await lockSubscription(trx, userId);
  if (customer.deleted_at !== null && subscription.is_live) {
    // Unknown if the account was deleted, so this payment bought nothing.
    const isKnown = row?.stripe_subscription_id === subscription.id;
    await enqueueTask(
      trx,
      isKnown ? 'cancel_subscription' : 'cancel_and_refund',
      [subscription.id],
      now,
    );
  }
  if (subscription.balance_cents !== null)
    await storeBalance(trx, userId, { cents: subscription.balance_cents, ticket });
  switch (standingOf(subscription, ticket, row)) {
    case 'stale':
      return;
    case 'duplicate':
      await enqueueTask(trx, 'cancel_duplicate', [subscription.id], now);
      return;
    case 'successor':
      if (row?.is_live) await enqueueTask(trx, 'cancel_subscription', providerIdsOf(row), now);
      return write(trx, customer, read, successorOf(row), now);
    case 'same':
      return write(trx, customer, read, row, now);
  }
}

/** Locks the customer too, so two first subscriptions of one user can't pass each other. */
async function lockOwner(
  trx: Trx,
  subscription: ProviderSubscription,
): Promise<Customer | undefined> {
  const userId =
    (await findUserByStripeCustomer(trx, subscription.stripe_customer_id)) ?? subscription.user_id;
  return userId === null ? undefined : lockCustomer(trx, userId);
}

type Standing = 'same' | 'successor' | 'duplicate' | 'stale';

/** Returns how a subscription at the provider relates to the user's current one. */
export function standingOf(
  subscription: Pick<ProviderSubscription, 'id' | 'is_live' | 'started_at'>,
  ticket: number,
  row:
    | Pick<
        Subscription,
        'stripe_subscription_id' | 'read_ticket' | 'is_live' | 'status' | 'started_at'
      >
    | undefined,
): Standing {
  if (row === undefined) return 'successor';
  if (row.stripe_subscription_id === subscription.id)
    return ticket > row.read_ticket ? 'same' : 'stale';
  if (!subscription.is_live)
    return row.is_live || subscription.started_at <= row.started_at ? 'stale' : 'successor';
  // Paused or unpaid: it grants nothing, and a new one replaces it.
  return row.is_live && row.status !== 'expired' ? 'duplicate' : 'successor';
}

/** Fields that survive a new subscription. */
type KeptFields = Pick<
  Subscription,
  | 'version'
  | 'entitled_since'
  | 'past_due_since'
  | 'trial_card'
  | 'reminded_trial_end'
  | 'stopped_at'
  | 'last_reply_at'
  | 'restored_at'
  | 'created_at'
  | 'comp_until'
> &
  Partial<Subscription>;

function successorOf(row: Subscription | undefined): KeptFields | undefined {
  if (row === undefined) return undefined;
  return {
    version: row.version,
    status: row.status,
    entitled_since: row.entitled_since,
    past_due_since: null,
    trial_card: null,
    reminded_trial_end: null,
    stopped_at: null,
    last_reply_at: row.last_reply_at,
    restored_at: null,
    created_at: row.created_at,
    comp_until: row.comp_until,
  };
}

async function write(
  trx: Trx,
  { user_id: userId, deleted_at }: Customer,
  { subscription, ticket, refundEndsAccess }: Read,
  before: KeptFields | undefined,
  now: Date,
): Promise<void> {
  const { id, card, owed, next_charge, is_paused, is_paused_by_us, ...others } = subscription;
  const {
    user_id: _user,
    stripe_customer_id: _customer,
    balance_cents: _balance,
    ...asRead
  } = others;
  const past_due_since =
    asRead.status === 'past_due' ? (owed?.failed_at ?? before?.past_due_since ?? now) : null;
  const comp_until = before?.comp_until ?? null;
  const paid = { ...asRead, user_id: userId, stripe_subscription_id: id };
  const hold = await findHold(trx, paid, refundEndsAccess);
  const facts = { ...asRead, past_due_since, comp_until, hold };
  const entitlement = entitlementOf(facts, now);
  const after: Subscription = {
    user_id: userId,
    stripe_subscription_id: id,
    ...facts,
    ...entitlement,
    read_ticket: ticket,
    version: (before?.version ?? 0) + 1,
    entitled_since: before?.entitled_since ?? (entitlement.entitled ? asRead.started_at : null),
    trial_card: await spendTrialOf(trx, userId, subscription, before?.trial_card ?? null, now),
    reminded_trial_end: before?.reminded_trial_end ?? null,
    stopped_at: before?.stopped_at ?? null,
    last_reply_at: before?.last_reply_at ?? null,
    restored_at: before?.restored_at ?? null,
    checked_at: now,
    created_at: before?.created_at ?? now,
    // A deleted account keeps no card.
    card_brand: deleted_at === null ? (card?.brand ?? null) : null,
    card_last4: deleted_at === null ? (card?.last4 ?? null) : null,
    next_charge_at: next_charge?.at ?? null,
    next_charge_cents: next_charge?.cents ?? null,
    next_charge_tax_cents: next_charge?.tax_cents ?? null,
    owed_cents: owed?.cents ?? null,
    card_declined: owed?.card_declined ?? false,
    confirm_url: owed?.confirm_url ?? null,
  };
  await saveSubscription(trx, before, after, now);
  if (chargesTooEarly(after)) await enqueueTask(trx, 'apply_free_time', [id], now);
  const isSettled = hold === 'disputed' ? is_paused : !is_paused_by_us;
  if (after.is_live && !isSettled) await enqueueTask(trx, 'settle_hold', [id], now);
  if (hasNewCard(before, after)) await enqueueTask(trx, 'retry_payment', [id], now);
  if (card?.fingerprint && deleted_at === null) await noteCard(trx, userId, card.fingerprint, now);
}

/**
 * Returns whether free access is to postpone the next charge, as after an undone cancellation, or has just done so. A
 * held plan has no next charge: its free access stays.
 */
export function chargesTooEarly(row: Subscription): boolean {
  const { is_live, status, cancel_at_period_end, current_period_end: end, comp_until } = row;
  const renews = is_live && !cancel_at_period_end && (status === 'trial' || status === 'active');
  return renews && row.hold === null && end !== null && comp_until !== null && comp_until >= end;
}

/** Returns whether a failed payment is to be announced, confirmed at the bank, or no longer mentioned. */
function changesDunning(before: Partial<Subscription> | undefined, after: Subscription): boolean {
  const wasOwed = before !== undefined && isOwed(before);
  if (!isOwed(after)) return wasOwed;
  return (
    !wasOwed ||
    before.past_due_since?.getTime() !== after.past_due_since?.getTime() ||
    (!before.confirm_url && after.confirm_url !== null)
  );
}

const isOwed = ({ status, hold }: Partial<Subscription>): boolean =>
  status === 'past_due' && (hold ?? null) === null;

/** Returns whether a new card has replaced the one that failed, perhaps before the failure was first read. */
const hasNewCard = (before: Partial<Subscription> | undefined, after: Subscription): boolean =>
  after.status === 'past_due' &&
  after.card_last4 !== null &&
  !isStuck(after) &&
  (before?.status !== 'past_due' || isStuck(before));

const isStuck = ({ card_declined, confirm_url }: Partial<Subscription>): boolean =>
  card_declined === true || (confirm_url ?? null) !== null;

/** A user's new card may turn out to be their referred friend's. */
async function noteCard(trx: Trx, userId: string, card: string, now: Date): Promise<void> {
  if (!(await rememberCard(trx, userId, card, now))) return;
  for (const friend of await friendsWithCard(trx, userId, card)) await reconsider(trx, friend, now);
}

/**
 * Records a trial for the account, its addresses and its card. If any of them already had one, immediately ends this
 * trial; otherwise emails that it has started.
 */
async function spendTrialOf(
  trx: Trx,
  userId: string,
  subscription: ProviderSubscription,
  spentCard: string | null,
  now: Date,
): Promise<string | null> {
  const card = subscription.card?.fingerprint ?? null;
  if (subscription.trial_end === null || spentCard !== null) return spentCard;
  const customer = await lockCustomer(trx, userId);
  if (customer === undefined || customer.deleted_at !== null) return null;
  const isNewContact = await spendTrials(trx, customer, now);
  if (card === null) return null;
  const isNewCard = await spendTrial(trx, userId, { kind: 'card', mark: card }, now);
  const next = isNewContact && isNewCard ? 'announce_trial' : 'end_trial';
  if (subscription.status === 'trial') await enqueueTask(trx, next, [subscription.id], now);
  return card;
}

/** Publishes if the snapshot differs; otherwise the row keeps its version. */
export async function saveSubscription(
  trx: Trx,
  before: Partial<Subscription> | undefined,
  after: Subscription,
  now: Date,
): Promise<void> {
  const changed =
    before?.stripe_subscription_id === undefined ||
    snapshotText(before as Subscription) !== snapshotText(after);
  const row = changed ? after : { ...after, version: after.version - 1 };
  await putSubscription(trx, row);
  if (changesDunning(before, after))
    await enqueueTask(trx, 'remind_of_payment', [after.user_id], now);
  if ((before?.hold ?? null) !== after.hold)
    await enqueueTask(trx, 'settle_hold', providerIdsOf(after), now);
  if (changed) await publishSubscriptionChanged(trx, before, after, now);
}

export interface Revision {
  before: Subscription;
  after: Subscription;
}

/** Updates a user's subscription after a dispute or refund. Returns null if there is none. */
export async function reviseHold(
  trx: Trx,
  userId: string,
  refundEndsAccess: boolean,
  now: Date,
): Promise<Revision | null> {
  const row = await lockSubscription(trx, userId);
  if (row === undefined || row.stripe_subscription_id === null) return null;
  const hold = await findHold(trx, row, refundEndsAccess);
  const after = { ...row, hold, ...entitlementOf({ ...row, hold }, now), version: row.version + 1 };
  await saveSubscription(trx, row, after, now);
  return { before: row, after };
}

/** Updates an entitlement that has expired; the rest of the row stays. */
export async function endEntitlement(trx: Trx, userId: string, now: Date): Promise<void> {
  const row = await lockSubscription(trx, userId);
  if (row === undefined || row.entitled_until === null || row.entitled_until > now) return;
  // A trial unknown to the provider ends with it.
  const status = row.stripe_subscription_id === null ? 'expired' : row.status;
  await closeSubscription(trx, row, status, now);
  // The provider should have reported the end.
  await enqueueTask(trx, 'sync_subscription', providerIdsOf(row), now);
}

export async function closeSubscription(
  trx: Trx,
  row: Subscription,
  status: Subscription['status'],
  now: Date,
): Promise<void> {
  const change = { status, ...entitlementOf({ ...row, status }, now), version: row.version + 1 };
  await updateSubscription(trx, row.user_id, change);
  await publishSubscriptionChanged(trx, row, { ...row, ...change }, now);
}

export const providerIdsOf = ({
  stripe_subscription_id: id,
}: Pick<Subscription, 'stripe_subscription_id'>): string[] => (id === null ? [] : [id]);
