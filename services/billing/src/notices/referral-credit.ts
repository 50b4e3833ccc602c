import { findCatalogue } from '../customers/currency.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { findNextBill, type Referral } from '../referrals/referrals.repository.ts';
import { sendNotice } from './send-notice.ts';
import { money, referralCredit } from './words.ts';

/** Emails the referrer once for each friend, even if the credit was reversed and earned again. */
export async function mailReferralCredit(
  trx: Trx,
  deps: BillingDeps,
  { referrer_user_id, friend_user_id }: Referral,
  cents: number,
): Promise<void> {
  const { currency } = await findCatalogue(trx, deps, referrer_user_id);
  const amount = money(cents, currency);
  const billAt = await findNextBill(trx, referrer_user_id);
  await sendNotice(trx, deps, referrer_user_id, `referral-credit:${friend_user_id}`, (to) =>
    referralCredit(to, { amount, billAt }),
  );
}
