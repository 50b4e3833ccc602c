import { randomUUID } from 'node:crypto';
import type { EventTable } from '@daylift/contracts/event';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import { sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import type { EventTables } from './event-tables.ts';

/**
 * Publishes an event as an outbox row, in the transaction of the change that it reports. `events` is the owner's table
 * of contracts. Data that violates its contract throws, so the change is rolled back too.
 */
export async function publish<
  T extends EventTables,
  E extends EventTable,
  K extends keyof E & string,
>(trx: Transaction<T>, events: E, type: K, data: Static<E[K]>, now: Date): Promise<string> {
  const schema = events[type] as EventTable[string];
  if (!Value.Check(schema, data)) {
    const first = Value.Errors(schema, data)[0];
    throw new Error(
      `Event ${type} does not match its schema: ${first?.instancePath ?? ''} ${first?.message ?? ''}`,
    );
  }
  const id = randomUUID();
  const payload = JSON.stringify({ id, type, occurred_at: now.toISOString(), data });
  const outbox = trx as unknown as Transaction<EventTables>;
  const traceparent = currentTraceparent();
  await outbox
    .insertInto('outbox')
    .values({ id, type, occurred_at: now, payload, traceparent })
    .execute();
  await sql`select pg_notify(current_schema() || '_outbox', '')`.execute(outbox);
  return id;
}
