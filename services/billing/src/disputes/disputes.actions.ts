import { dayMs } from '@daylift/clock/durations';
import type Stripe from 'stripe';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { creditPaidDays } from '../lost-days/decide-lost-day.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { reconsider } from '../referrals/referrals.actions.ts';
import { friendOfPayment } from '../referrals/referrals.repository.ts';
import { instantOf } from '../stripe-client.ts';
import { type Revision, reviseHold } from '../subscriptions/subscriptions.actions.ts';
import { takeReadTicket } from '../subscriptions/subscriptions.repository.ts';
import { noticeOfDispute } from './dispute-notices.ts';
import { type Dispute, findDisputeState, findPayer, putDispute } from './disputes.repository.ts';
import { readDispute } from './provider-dispute.ts';

export async function syncDispute(deps: BillingDeps, id: string): Promise<void> {
  const { db, stripe } = deps;
  const ticket = await takeReadTicket(db);
  const found = await stripe.disputes.retrieve(id);
  const dispute = { ...readDispute(found), read_ticket: ticket };
  await db.transaction().execute(async (trx) => {
    const before = await findDisputeState(trx, id);
    if (!(await putDispute(trx, dispute)) || dispute.payment_intent_id === null) return;
    const revision = await applyReturnedMoney(trx, deps, dispute.payment_intent_id);
    if (revision !== null && isNews(found, before, dispute.state, deps.clock.now()))
      await noticeOfDispute(trx, deps, revision, dispute);
  });
}

const newsMs = 3 * dayMs;

/** Returns false for old changes, such as those that the first comparison finds. */
function isNews(
  { created, balance_transactions }: Stripe.Dispute,
  before: Dispute['state'] | undefined,
  state: Dispute['state'],
  now: Date,
): boolean {
  if (before === undefined && state !== 'open') return false;
  // The provider doesn't date a loss.
  if (state === 'lost') return true;
  const changed = Math.max(created, ...balance_transactions.map((entry) => entry.created));
  return now.getTime() - instantOf(changed).getTime() <= newsMs;
}

/**
 * Updates the credit and the access that a payment gave after its money was withdrawn or returned. Returns the change of
 * the payer's subscription, or null while the invoice is unknown. Storing the invoice applies the same.
 */
export async function applyReturnedMoney(
  trx: Trx,
  deps: BillingDeps,
  paymentIntentId: string,
): Promise<Revision | null> {
  const now = deps.clock.now();
  const payer = await findPayer(trx, paymentIntentId);
  // Locks the payer before the referrer, as a payment does.
  if (payer !== null) await creditPaidDays(trx, deps, payer);
  const friend = await friendOfPayment(trx, paymentIntentId);
  if (friend !== undefined) await reconsider(trx, friend, now);
  if (payer !== null) return reviseHold(trx, payer, deps.refundEndsAccess, now);
  // It may have paid for a gift; the buyer has no account.
  await enqueueTask(trx, 'settle_gift', [paymentIntentId], now);
  return null;
}
