import type { Kysely, Transaction } from 'kysely';
import type { EventTables } from '../event-tables.ts';
import {
  applyEvent,
  type ConsumerDefinition,
  PoisonEvent,
  rememberEvent,
} from '../handle-event.ts';
import { parseEvent } from '../parse-event.ts';
import type { FailedEntry, FailedSource } from './failed-source.ts';
import { maskPayload } from './mask-payload.ts';

type Row = Pick<
  EventTables['parked_events'],
  'event_id' | 'type' | 'payload' | 'tries' | 'error' | 'parked_at'
>;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Failed events of a service's consumers. A replay runs the same handler, exactly once. */
export function failedEvents<T extends EventTables>(
  subscriptions: ConsumerDefinition<T>[],
): FailedSource<T> {
  return {
    kind: 'event',
    async list(db, only) {
      const rows = await open(db, only.type)
        .select(['event_id', 'type', 'payload', 'tries', 'error', 'parked_at'])
        .orderBy('parked_at')
        .orderBy('event_id')
        .limit(only.limit)
        .execute();
      return rows.map(entryOf);
    },
    async count(db, only) {
      const { count } = await open(db, only.type)
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
    async lock(trx, key) {
      if (!uuid.test(key)) return null;
      const row = await tables(trx)
        .selectFrom('parked_events')
        .select('ended_as')
        .where('event_id', '=', key)
        .forUpdate()
        .executeTakeFirst();
      return row === undefined ? null : (row.ended_as ?? 'parked');
    },
    async replay(trx, key, now) {
      const event = parseEvent((await read(trx, key)).payload);
      if (event === null) throw new PoisonEvent('not an event');
      const subscribed = subscriptions.find((one) => one.handlers[event.type] !== undefined);
      if (subscribed !== undefined) await applyEvent(trx, subscribed, event, now);
      await end(trx, key, 'replayed', now);
    },
    async fail(trx, key, error) {
      await tables(trx)
        .updateTable('parked_events')
        .set((set) => ({ error, tries: set('tries', '+', 1) }))
        .where('event_id', '=', key)
        .where('ended_as', 'is', null)
        .execute();
    },
    async discard(trx, key, now) {
      const { type } = await read(trx, key);
      await rememberEvent(trx, { id: key, type }, now);
      await end(trx, key, 'discarded', now);
    },
  };
}

const tables = <T extends EventTables>(db: Kysely<T>) => db as unknown as Kysely<EventTables>;

function open<T extends EventTables>(db: Kysely<T>, type: string | undefined) {
  const rows = tables(db).selectFrom('parked_events').where('ended_as', 'is', null);
  return type === undefined ? rows : rows.where('type', '=', type);
}

const read = <T extends EventTables>(trx: Transaction<T>, key: string) =>
  tables(trx)
    .selectFrom('parked_events')
    .select(['type', 'payload'])
    .where('event_id', '=', key)
    .executeTakeFirstOrThrow();

/** Erases the content, which is no longer needed and may be personal. */
async function end<T extends EventTables>(
  trx: Transaction<T>,
  key: string,
  ended_as: 'replayed' | 'discarded',
  now: Date,
): Promise<void> {
  await tables(trx)
    .updateTable('parked_events')
    .set({ ended_as, ended_at: now, payload: '' })
    .where('event_id', '=', key)
    .execute();
}

function entryOf({ event_id, type, payload, tries, error, parked_at }: Row): FailedEntry {
  const event = parseEvent(payload);
  const data = event?.data as { user_id?: unknown } | null | undefined;
  const person = data?.user_id;
  return {
    key: event_id,
    type,
    parked_at,
    tries,
    error,
    payload: event === null ? null : maskPayload(event),
    user_id: typeof person === 'string' && uuid.test(person) ? person : null,
  };
}
