import { findCatalogue } from '../customers/currency.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { entitlementOf } from '../subscriptions/entitlement.ts';
import {
  findSubscription,
  lockSubscription,
  type Subscription,
} from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import {
  deleteDunning,
  deleteUnsentMails,
  dunningKey,
  findDunning,
  putDunning,
} from './dunning.repository.ts';
import { dunningWords, endedWords } from './dunning-words.ts';
import { stageOf, stages } from './stages.ts';

/** Sends the due email about a failed payment, after checking at the provider that it's still unpaid. */
export async function remindOfPayment(deps: BillingDeps, userId: string): Promise<void> {
  const known = await findSubscription(deps.db, userId);
  if (known?.stripe_subscription_id != null)
    await syncSubscription(deps, known.stripe_subscription_id);
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockSubscription(trx, userId);
    if (row?.status === 'past_due' && row.past_due_since !== null && row.hold === null)
      await remind(trx, deps, row, row.past_due_since);
    else await close(trx, deps, userId, row);
  });
}

async function remind(trx: Trx, deps: BillingDeps, row: Subscription, since: Date): Promise<void> {
  const now = deps.clock.now();
  const stored = await findDunning(trx, row.user_id);
  const before = stored?.since.getTime() === since.getTime() ? stored : undefined;
  const { entitled, entitled_until: texts_until } = entitlementOf(row, now);
  const { stage, next_at } = stageOf({ since, entitled, texts_until }, now);
  const isNewStage = before === undefined || stages.indexOf(stage) > stages.indexOf(before.stage);
  const requestsConfirmation = row.confirm_url !== null && !before?.confirm_asked;
  await putDunning(trx, {
    user_id: row.user_id,
    since,
    stage: isNewStage ? stage : before.stage,
    confirm_asked: before?.confirm_asked || requestsConfirmation,
    next_at,
  });
  if (!isNewStage && !requestsConfirmation) return;
  await deleteUnsentMails(trx, row.user_id);
  const { currency } = await findCatalogue(trx, deps, row.user_id);
  const key = `${keyOf(row, since)}:${isNewStage ? stage : 'confirm'}`;
  await sendNotice(trx, deps, row.user_id, key, (to) =>
    dunningWords(to, stage, row, { texts_until, currency }),
  );
}

/** Ends the reminders. A subscription that ended unpaid is reported once. */
async function close(
  trx: Trx,
  deps: BillingDeps,
  userId: string,
  row: Subscription | undefined,
): Promise<void> {
  const before = await findDunning(trx, userId);
  if (before === undefined) return;
  await deleteDunning(trx, userId);
  await deleteUnsentMails(trx, userId);
  if (row?.ended_unpaid)
    await sendNotice(trx, deps, userId, `${keyOf(row, before.since)}:ended`, endedWords);
}

const keyOf = (row: Subscription, since: Date): string =>
  `${dunningKey}${row.stripe_subscription_id}:${since.toISOString()}`;
