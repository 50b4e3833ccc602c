import { dayMs } from '@daylift/clock/durations';
import { billingEvents } from '@daylift/contracts/billing.events';
import { publish } from '@daylift/events/publish';
import { wasSeenWith } from '../cards/cards.repository.ts';
import { ensureCurrency } from '../customers/currency.ts';
import { type Customer, findCustomer, lockCustomer } from '../customers/customers.repository.ts';
import { shareContact, shareProvenContact } from '../customers/proven-contacts.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import {
  type FirstPayment,
  findReferral,
  hasBroughtCredit,
  putFirstPayment,
  type Referral,
  readFigures,
  storeFigures,
  storeOutcome,
  sumReturned,
} from './referrals.repository.ts';

/** Within this time a refund (a dispute at any time), or the same card at the referrer, reverses the credit. */
const watchedMs = 30 * dayMs;

/** Counts a referred friend's payment: the first one earns the referrer a credit, in the referrer's currency. */
export async function countPayment(
  trx: Trx,
  { user_id, ...payment }: FirstPayment & { user_id: string },
  deps: Pick<BillingDeps, 'catalogues' | 'countryCurrencies' | 'clock'>,
): Promise<void> {
  const friend = await findCustomer(trx, user_id);
  const referrerId = friend?.referrer_user_id ?? null;
  if (referrerId === null || referrerId === user_id) return;
  const referrer = await lockCustomer(trx, referrerId);
  if (referrer === undefined || referrer.deleted_at !== null) return;
  const { referral_credit_cents: credit_cents } = await ensureCurrency(trx, deps, referrer);
  await putFirstPayment(
    trx,
    { friend_user_id: user_id, referrer_user_id: referrerId, credit_cents },
    payment,
  );
  await reconsider(trx, user_id, deps.clock.now());
}

/**
 * Evaluates a referral again with all current data, so the order of payment, refund and cards doesn't matter. Changes
 * at the provider become a task.
 */
export async function reconsider(trx: Trx, friendId: string, now: Date): Promise<void> {
  const found = await findReferral(trx, friendId);
  if (found === undefined) return;
  const referrer = await lockCustomer(trx, found.referrer_user_id);
  const referral = await findReferral(trx, friendId);
  if (referrer === undefined || referral === undefined) return;
  const outcome = await outcomeOf(trx, referral, referrer);
  if (outcome !== referral.outcome) await storeOutcome(trx, friendId, outcome);
  await publishFigures(trx, referrer, now);
  const due = outcome === 'earned' ? referral.credit_cents : 0;
  if (due !== referral.booked_cents) await enqueueTask(trx, 'settle_referral', [friendId], now);
}

async function outcomeOf(
  trx: Trx,
  referral: Referral,
  referrer: Customer,
): Promise<Referral['outcome']> {
  if (referral.outcome === 'refused') return 'refused';
  const until = new Date(referral.paid_at.getTime() + watchedMs);
  if (await isOwnFriend(trx, referral, referrer, until)) return 'refused';
  const { payment_intent_id: payment } = referral;
  const returnedCents = payment === null ? 0 : await sumReturned(trx, payment, until);
  return returnedCents >= referral.amount_cents ? 'taken_back' : 'earned';
}

/** Returns whether both sides are the same person, or the friend was referred before. */
async function isOwnFriend(
  trx: Trx,
  referral: Referral,
  referrer: Customer,
  until: Date,
): Promise<boolean> {
  const { card } = referral;
  if (card !== null && (await wasSeenWith(trx, referrer.user_id, card, until))) return true;
  const { friend_user_id: friend } = referral;
  if (await shareProvenContact(trx, friend, referrer.user_id, until)) return true;
  if (referral.outcome !== null) return false;
  return (
    (await shareContact(trx, friend, referrer.user_id)) || (await hasBroughtCredit(trx, referral))
  );
}

async function publishFigures(trx: Trx, referrer: Customer, now: Date): Promise<void> {
  const { successful } = await readFigures(trx, referrer.user_id);
  if (successful === referrer.referrals_successful) return;
  const version = referrer.referrals_version + 1;
  await storeFigures(trx, referrer.user_id, { successful, version });
  const figures = { user_id: referrer.user_id, version, successful };
  await publish(trx, billingEvents, 'billing.referrals.changed', figures, now);
}
