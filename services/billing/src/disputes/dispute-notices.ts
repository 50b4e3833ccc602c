import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { disputeLost, disputeOpened, disputeWon, money } from '../notices/words.ts';
import type { Dispute } from './disputes.repository.ts';

/** Emails the subscriber that texts are paused, are back or have ended. */
export async function noticeOfDispute(
  trx: Trx,
  deps: Pick<BillingDeps, 'clock' | 'product'>,
  userId: string,
  { id, state, amount_cents, currency }: Dispute,
): Promise<void> {
  const words = { open: disputeOpened, won: disputeWon, lost: disputeLost };
  if (state !== 'open' && state !== 'won' && state !== 'lost') return;
  const amount = money(amount_cents, currency);
  await sendNotice(trx, deps, userId, `dispute-${state}:${id}`, (to) => words[state](to, amount));
}
