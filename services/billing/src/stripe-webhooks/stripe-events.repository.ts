import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import type { BillingDatabase, StripeEventsTable } from '../database.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { instantOf } from '../stripe-client.ts';
import { taskOfEvent } from './event-task.ts';

/** Stores an event and enqueues its task in the same transaction. Returns whether the event was new. */
export async function takeEvent(
  db: Kysely<BillingDatabase>,
  event: Stripe.Event,
  source: StripeEventsTable['source'],
  now: Date,
): Promise<boolean> {
  const { id } = event.data.object as { id?: unknown };
  const objectId = typeof id === 'string' ? id : null;
  return db.transaction().execute(async (trx) => {
    const fresh = await trx
      .insertInto('stripe_events')
      .values({
        id: event.id,
        type: event.type,
        object_id: objectId,
        source,
        created_at: instantOf(event.created),
        received_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (fresh === undefined) return false;
    const task = taskOfEvent[event.type];
    if (task !== undefined && objectId !== null) await enqueueTask(trx, task, [objectId], now);
    return true;
  });
}

/** Stripe lists events for thirty days, so older ones can't return. */
export async function deleteOldEvents(db: Kysely<BillingDatabase>, before: Date): Promise<void> {
  await db.deleteFrom('stripe_events').where('created_at', '<', before).execute();
}
