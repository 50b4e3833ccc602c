import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { disputeLost, disputeOpened, disputeWon, money } from '../notices/words.ts';
import type { Revision } from '../subscriptions/subscriptions.actions.ts';
import type { Dispute } from './disputes.repository.ts';

/** Emails the subscriber if texts were paused, resumed or ended. */
export async function noticeOfDispute(
  trx: Trx,
  deps: Pick<BillingDeps, 'clock' | 'product'>,
  revision: Revision,
  { id, state, amount_cents, currency }: Dispute,
): Promise<void> {
  const words = wordsOf(state, revision);
  if (words === null) return;
  const amount = money(amount_cents, currency);
  const { user_id } = revision.after;
  await sendNotice(trx, deps, user_id, `dispute-${state}:${id}`, (to) => words(to, amount));
}

/** With another open dispute or free access, the texts may stay as they are. */
function wordsOf(state: Dispute['state'], { before, after }: Revision) {
  if (before.hold === after.hold) return null;
  switch (state) {
    case 'open':
      return before.entitled && !after.entitled ? disputeOpened : null;
    case 'won':
      return !before.entitled && after.entitled ? disputeWon : null;
    case 'lost':
      return before.is_live && after.hold === 'lost' ? disputeLost : null;
    case 'inquiry':
    case 'closed':
      return null;
  }
}
