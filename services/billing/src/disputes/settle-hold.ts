import type { BillingDeps } from '../deps.ts';
import { isRefusal, nullIfMissing } from '../stripe-client.ts';
import { cancelSubscription } from '../subscriptions/cancellation.ts';
import { isPausedByUs, pausedByUs } from '../subscriptions/provider-subscription.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';

/**
 * Stops charges while a dispute stops the texts, and ends the subscription when the dispute is lost. Invoices in between
 * are voided, so texts that return after a won dispute are free until the next renewal.
 */
export async function settleHold(deps: BillingDeps, id: string, key: string): Promise<void> {
  const { db, stripe } = deps;
  const row = await findSubscriptionByStripeId(db, id);
  if (!row?.is_live) return;
  if (row.hold === 'lost') return cancelSubscription(deps, id);
  const found = await stripe.subscriptions.retrieve(id).catch(nullIfMissing);
  if (found === null) return;
  if (row.hold === 'disputed') {
    if (found.pause_collection === null)
      await stripe.subscriptions.update(
        id,
        { pause_collection: { behavior: 'void' }, metadata: pausedByUs },
        { idempotencyKey: `${key}:${row.version}` },
      );
    await stopInvoices(deps, id);
  } else if (isPausedByUs(found))
    await stripe.subscriptions.update(
      id,
      { pause_collection: '', metadata: { paused_for: '' } },
      { idempotencyKey: `${key}:${row.version}` },
    );
  else return;
  await syncSubscription(deps, id);
}

/** A pause doesn't stop the charges of invoices that were created before. */
async function stopInvoices({ stripe, log }: BillingDeps, subscription: string): Promise<void> {
  for (const status of ['draft', 'open'] as const)
    for await (const { id } of stripe.invoices.list({ subscription, status, limit: 100 }))
      await (status === 'open'
        ? stripe.invoices.voidInvoice(id)
        : stripe.invoices.update(id, { auto_advance: false })
      ).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        log.warn(
          { err: error, invoice: id },
          'disputed subscription charged before it was stopped',
        );
      });
}
