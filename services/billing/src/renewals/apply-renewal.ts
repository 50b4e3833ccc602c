import { billingEvents } from '@daylift/contracts/billing.events';
import { publish } from '@daylift/events/publish';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { renewalRestored, renewalStopped } from '../notices/words.ts';
import { hasCancelledSince } from '../plans/plan-changes.repository.ts';
import { applyFreeTime } from '../subscriptions/free-time.ts';
import { findSubscription, type Subscription } from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';

/** Applies the subscriber's last STOP or START to the renewal at the provider, and emails them. */
export async function applyRenewal(deps: BillingDeps, userId: string, key: string): Promise<void> {
  const known = await findSubscription(deps.db, userId);
  if (known?.stripe_subscription_id == null) return;
  await syncSubscription(deps, known.stripe_subscription_id);
  const row = await findSubscription(deps.db, userId);
  if (row?.stripe_subscription_id == null || !row.is_live) return;
  const { stopped_at, restored_at } = row;
  // A START that waited for the provider must not undo a cancellation made since.
  const restores =
    stopped_at === null &&
    restored_at !== null &&
    !(await hasCancelledSince(deps.db, userId, restored_at));
  if (stopped_at === null && !restores) return;
  await deps.stripe.subscriptions.update(
    row.stripe_subscription_id,
    { cancel_at_period_end: !restores },
    { idempotencyKey: key },
  );
  await syncSubscription(deps, row.stripe_subscription_id);
  await applyFreeTime(deps, row.stripe_subscription_id);
  const after = await findSubscription(deps.db, userId);
  await notify(deps, { ...row, current_period_end: after?.current_period_end ?? null });
}

async function notify(deps: BillingDeps, row: Subscription): Promise<void> {
  const { user_id, stopped_at, restored_at } = row;
  const now = deps.clock.now();
  const periodEnd = row.current_period_end ?? now;
  const isTrial = row.status === 'trial';
  await deps.db.transaction().execute(async (trx) => {
    if (stopped_at !== null)
      return sendNotice(
        trx,
        deps,
        user_id,
        `renewal-stopped:${row.stripe_subscription_id}:${stopped_at.toISOString()}`,
        (to) => renewalStopped(to, { endsAt: periodEnd, isTrial }),
      );
    await publish(
      trx,
      billingEvents,
      'billing.renewal.restored',
      {
        user_id,
        renews_at: periodEnd.toISOString(),
        at: (restored_at ?? now).toISOString(),
      },
      now,
    );
    await sendNotice(
      trx,
      deps,
      user_id,
      `renewal-restored:${row.stripe_subscription_id}:${row.last_reply_at?.toISOString()}`,
      (to) => renewalRestored(to, periodEnd),
    );
  });
}
