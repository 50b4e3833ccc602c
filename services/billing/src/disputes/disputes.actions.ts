import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { reconsider } from '../referrals/referrals.actions.ts';
import { friendOfPayment } from '../referrals/referrals.repository.ts';
import { reviseHold } from '../subscriptions/subscriptions.actions.ts';
import { takeReadTicket } from '../subscriptions/subscriptions.repository.ts';
import { noticeOfDispute } from './dispute-notices.ts';
import { findPayer, putDispute } from './disputes.repository.ts';
import { readDispute } from './provider-dispute.ts';

export async function syncDispute(deps: BillingDeps, id: string): Promise<void> {
  const { db, stripe } = deps;
  const ticket = await takeReadTicket(db);
  const dispute = { ...readDispute(await stripe.disputes.retrieve(id)), read_ticket: ticket };
  await db.transaction().execute(async (trx) => {
    if (!(await putDispute(trx, dispute)) || dispute.payment_intent_id === null) return;
    const payer = await applyReturnedMoney(trx, deps, dispute.payment_intent_id);
    if (payer !== null) await noticeOfDispute(trx, deps, payer, dispute);
  });
}

/**
 * Updates the credit and the access that a payment gave after its money was withdrawn or returned. Returns the payer, or
 * null while the invoice is unknown. Storing the invoice applies the same.
 */
export async function applyReturnedMoney(
  trx: Trx,
  deps: Pick<BillingDeps, 'clock' | 'refundEndsAccess'>,
  paymentIntentId: string,
): Promise<string | null> {
  const now = deps.clock.now();
  const friend = await friendOfPayment(trx, paymentIntentId);
  if (friend !== undefined) await reconsider(trx, friend, now);
  const payer = await findPayer(trx, paymentIntentId);
  if (payer !== null) await reviseHold(trx, payer, deps.refundEndsAccess, now);
  return payer;
}
