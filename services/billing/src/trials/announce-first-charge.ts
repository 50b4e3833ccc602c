import { dayMs, hourMs } from '@daylift/clock/durations';
import { findCatalogue } from '../customers/currency.ts';
import type { Db } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { firstCharge } from '../notices/words.ts';
import { cancelUrlOf } from '../plans/cancel-link.ts';
import { describeFirstCharge } from '../promotions/find-offer.ts';
import { enqueueTask, moveTask } from '../provider-tasks/provider-tasks.repository.ts';
import { readWithDiscount } from './announce-trial.ts';

const leadMs = dayMs;

/** Emails the first charge of a plan chosen during free access, and enqueues the reminder a day before it. */
export async function announceFirstCharge(deps: BillingDeps, id: string): Promise<void> {
  const { db, clock } = deps;
  const row = await readWithDiscount(deps, id);
  const at = row?.free_until ?? null;
  if (row === undefined || at === null || !row.is_live || row.cancel_at_period_end) return;
  const now = clock.now();
  const isSoon = at.getTime() <= now.getTime() + leadMs + hourMs;
  const { user_id } = row;
  const catalogue = await findCatalogue(db, deps, user_id);
  const charge = await describeFirstCharge(db, catalogue, row, at);
  const cancelUrl = cancelUrlOf(deps, { subscriptionId: id, until: at });
  const key = `first-charge:${id}:${at.toISOString()}:${isSoon}`;
  await db.transaction().execute(async (trx) => {
    await sendNotice(trx, deps, user_id, key, (to) => firstCharge(to, charge, cancelUrl));
    const reminderAt = new Date(at.getTime() - leadMs);
    if (!isSoon) await enqueueTask(trx, 'announce_first_charge', [id], reminderAt);
  });
}

/** Moves the reminder of a first charge, if there is one, to a day before the charge's new instant. */
export async function moveReminder(db: Db, id: string, at: Date, now: Date): Promise<void> {
  const to = new Date(at.getTime() - leadMs);
  // An announcement, which is due sooner, enqueues the reminder itself.
  const dueAfter = new Date(now.getTime() + hourMs);
  await moveTask(db, 'announce_first_charge', id, { dueAfter, to });
}
