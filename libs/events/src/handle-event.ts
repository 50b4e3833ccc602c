import type { EventEnvelope, EventTable } from '@daylift/contracts/event';
import { isValid } from '@daylift/contracts/is-valid';
import { isUnreachable } from '@daylift/server/unreachable';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import type { Kysely, Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { EventOwner } from './bus.ts';
import type { EventTables } from './event-tables.ts';

/** Runs in the transaction that records the event; an error rolls both back. */
export type EventHandler<T, D> = (
  trx: Transaction<T>,
  data: D,
  event: EventEnvelope,
) => Promise<void>;

/** Handlers by event type for one owner's events. Types without a handler are ignored. */
export type EventHandlers<T, E extends EventTable> = {
  [K in keyof E]?: EventHandler<T, Static<E[K]>>;
};

/** The data of an event in a set. */
export interface SetItem<D> {
  data: D;
  traceparent: string | null;
}

/** Applies events that were fetched together, in one transaction with their inbox rows. */
export type SetHandler<T, D> = (trx: Transaction<T>, items: SetItem<D>[]) => Promise<void>;

/** Handlers that apply frequent events in sets. */
export type SetHandlers<T, E extends EventTable> = {
  [K in keyof E]?: SetHandler<T, Static<E[K]>>;
};

/** One owner's events and their handlers in a service. */
export interface ConsumerDefinition<T> {
  owner: EventOwner;
  schemas: EventTable;
  /** For all types. */
  handlers: Record<string, EventHandler<T, never> | undefined>;
  sets: Record<string, SetHandler<T, never> | undefined>;
}

export function consumerOf<T, E extends EventTable>(
  owner: EventOwner,
  schemas: E,
  handlers: EventHandlers<T, E>,
  sets: SetHandlers<T, E> = {},
): ConsumerDefinition<T> {
  const ofSets = sets as ConsumerDefinition<T>['sets'];
  const single = Object.entries(ofSets).map(([type, apply]) => {
    const handler: EventHandler<T, never> = async (trx, data) =>
      apply?.(trx, [{ data, traceparent: currentTraceparent() }]);
    return [type, handler] as const;
  });
  return {
    owner,
    schemas,
    handlers: { ...(handlers as ConsumerDefinition<T>['handlers']), ...Object.fromEntries(single) },
    sets: ofSets,
  };
}

/** The result of one event. */
export type Handled = 'handled' | 'duplicate' | 'ignored';

/** Validates an event and runs its handler exactly once, in one transaction with its inbox row. */
export async function handleEvent<T extends EventTables>(
  db: Kysely<T>,
  definition: ConsumerDefinition<T>,
  event: EventEnvelope,
  now: Date,
): Promise<Handled> {
  if (definition.handlers[event.type] === undefined) return 'ignored';
  return db.transaction().execute((trx) => applyEvent(trx, definition, event, now));
}

/** The same in a larger transaction. */
export async function applyEvent<T extends EventTables>(
  trx: Transaction<T>,
  definition: ConsumerDefinition<T>,
  event: EventEnvelope,
  now: Date,
): Promise<Handled> {
  const handler = definition.handlers[event.type];
  if (handler === undefined || definition.schemas[event.type] === undefined) return 'ignored';
  checkData(definition, event);
  if (!(await rememberEvent(trx, event, now))) return 'duplicate';
  await handler(trx, event.data as never, event);
  return 'handled';
}

function checkData<T>({ schemas }: ConsumerDefinition<T>, { type, data }: EventEnvelope): void {
  if (!isValid(schemas[type] as EventTable[string], data))
    throw new PoisonEvent(`${type} does not match its schema`);
}

/** Applies events of one type in one transaction. Any error rolls all of them back. */
export async function handleSet<T extends EventTables>(
  db: Kysely<T>,
  definition: ConsumerDefinition<T>,
  events: (EventEnvelope & { traceparent: string | null })[],
  now: Date,
): Promise<Handled[]> {
  for (const event of events) checkData(definition, event);
  return db.transaction().execute(async (trx) => {
    const fresh = await rememberEvents(trx, events, now);
    // A set may contain an event twice, after a redelivery.
    const isFirst = events.map(({ id }) => fresh.delete(id));
    const items = events
      .filter((_event, index) => isFirst[index])
      .map(({ data, traceparent }) => ({ data: data as never, traceparent }));
    if (items.length > 0) await definition.sets[events[0]?.type ?? '']?.(trx, items);
    return isFirst.map((first) => (first ? 'handled' : 'duplicate'));
  });
}

/** Inserts the inbox row. Returns false if the event was already applied. */
export async function rememberEvent<T extends EventTables>(
  trx: Transaction<T>,
  event: { id: string; type: string },
  now: Date,
): Promise<boolean> {
  return (await rememberEvents(trx, [event], now)).has(event.id);
}

/** Inserts inbox rows. Returns the ids of events that were not applied before. */
async function rememberEvents<T extends EventTables>(
  trx: Transaction<T>,
  events: { id: string; type: string }[],
  now: Date,
): Promise<Set<string>> {
  const inbox = trx as unknown as Transaction<EventTables>;
  // In order, so two replicas with the same events wait for each other instead of deadlocking.
  const rows = events
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, type }) => ({ event_id: id, type, handled_at: now }));
  const fresh = await inbox
    .insertInto('inbox')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .execute();
  return new Set(fresh.map(({ event_id }) => event_id));
}

/** An event that no retry can fix. */
export class PoisonEvent extends Error {}

/**
 * Returns whether Postgres or the connection is at fault rather than the event: lost or refused connections, a server
 * that stops or starts, deadlocks. An outage outlasts the five tries, and must not turn healthy events into failed
 * ones.
 */
export function isOutage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // Of Node's own codes, only those of connections: others, such as ERR_INVALID_URL, are bugs or bad data.
  if (typeof code === 'string')
    return /^(08|40|53)...$|^57P0[1-5]$|^E(?!RR_)[A-Z_]+$|^ERR_(SSL|TLS|SOCKET|STREAM)_/.test(code);
  return isUnreachable(error as Error);
}
