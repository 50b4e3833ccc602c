import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { BillingDatabase, Db, StripeEventsTable } from '../database.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { instantOf } from '../stripe-client.ts';
import { taskOfEvent } from './event-task.ts';

/**
 * Stores an event and enqueues its task in the same transaction. Returns whether the event was new. Events without a
 * task aren't stored: most of what the provider sends.
 */
export async function takeEvent(
  db: Db,
  event: Stripe.Event,
  source: StripeEventsTable['source'],
  now: Date,
): Promise<boolean> {
  const { id } = event.data.object as { id?: unknown };
  const task = taskOfEvent[event.type];
  if (task === undefined || typeof id !== 'string') return false;
  return db.transaction().execute(async (trx) => {
    const fresh = await trx
      .insertInto('stripe_events')
      .values({
        id: event.id,
        type: event.type,
        object_id: id,
        source,
        created_at: instantOf(event.created),
        received_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (fresh === undefined) return false;
    await enqueueTask(trx, task, [id], now);
    return true;
  });
}

/** Returns the events that aren't stored. */
export async function findUnknown(db: Db, events: Stripe.Event[]): Promise<Stripe.Event[]> {
  if (events.length === 0) return [];
  const known = await db
    .selectFrom('stripe_events')
    .select('id')
    .where(
      'id',
      'in',
      events.map(({ id }) => id),
    )
    .execute();
  const ids = new Set(known.map(({ id }) => id));
  return events.filter(({ id }) => !ids.has(id));
}

/** As far back as Stripe lists events; older ones can't return. */
export const listedMs = 30 * dayMs;
export const oldEvents: Cleanup<BillingDatabase> = {
  table: 'stripe_events',
  column: 'created_at',
  keptMs: listedMs + dayMs,
};

/**
 * Claims the run for one replica. Returns the instant until which events were seen, or null if it isn't due. A failed
 * run leaves that instant for the next one.
 */
export async function claimReconcile(
  db: Db,
  { now, firstSince, next }: { now: Date; firstSince: Date; next: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ seen_until: Date }>`
    insert into reconcile_state (seen_until, next_run_at)
    values (${firstSince}, ${next})
    on conflict (singleton) do update set next_run_at = ${next} where reconcile_state.next_run_at <= ${now}
    returning seen_until`.execute(db);
  return rows[0]?.seen_until ?? null;
}

export async function storeReconciled(db: Db, until: Date): Promise<void> {
  await db.updateTable('reconcile_state').set({ seen_until: until }).execute();
}
