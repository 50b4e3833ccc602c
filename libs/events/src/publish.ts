import { randomUUID } from 'node:crypto';
import type { EventTable } from '@daylift/contracts/event';
import { isValid } from '@daylift/contracts/is-valid';
import { afterCommit } from '@daylift/database/create-database';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import type { Transaction } from 'kysely';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import type { EventTables } from './event-tables.ts';

const relays = new Set<() => void>();
const wakeRelays = (): void => {
  for (const wake of relays) wake();
};

/** Calls `wake` after each commit of this process that published something. Returns a function that stops this. */
export function onPublished(wake: () => void): () => void {
  relays.add(wake);
  return () => relays.delete(wake);
}

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
  if (!isValid(schema, data)) {
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
  afterCommit(outbox, wakeRelays);
  return id;
}
