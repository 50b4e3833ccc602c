import type { Loop } from '@daylift/server/loops';
import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Bus, EventOwner } from './bus.ts';
import type { EventTables } from './event-tables.ts';

/** Additional tables of an owner of events with personal data. */
export interface ErasureTables extends EventTables {
  /** Users whose events are still being erased. On the wall clock, like the relay that may be sending them. */
  erasures: { user_id: string; requested_at: Date; next_look_at: Date };
}

export async function createErasureTable(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table erasures (
      user_id uuid primary key,
      requested_at timestamptz not null,
      next_look_at timestamptz not null
    )`,
    // The outbox holds weeks of events of all users.
    sql`create index outbox_of_person on outbox (((payload::jsonb) #>> '{data,user_id}'))`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** The one event about a user that outlives them. */
const deletion = 'accounts.user.deleted';
/** A relay may still send an event that it has claimed; after this time it counts as dead. */
const searchMs = 60_000;
const searchAgainMs = 15_000;
const subscriberBatchSize = 100;
const messageBatchSize = 500;

/**
 * Erases every event about a user: now in the outbox, soon after in the stream. Called before the deletion is
 * published, which stays. A consumer that has not seen the erased events sees only the deletion.
 */
export async function eraseFacts<T extends ErasureTables>(
  trx: Transaction<T>,
  userId: string,
): Promise<void> {
  const tables = trx as unknown as Transaction<ErasureTables>;
  const wall = new Date();
  await sql`delete from outbox where (payload::jsonb) #>> '{data,user_id}' = ${userId}`.execute(
    tables,
  );
  await tables
    .insertInto('erasures')
    .values({ user_id: userId, requested_at: wall, next_look_at: wall })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a user's failed events. Their ids go into the inbox, or they would look lost. */
export async function eraseFailedEvents<T extends EventTables>(
  trx: Transaction<T>,
  userId: string,
): Promise<void> {
  await sql`with erased as (
      delete from parked_events where payload like ${`%"${userId}"%`}
      returning event_id, type, parked_at
    ) insert into inbox (event_id, type, handled_at) select * from erased on conflict do nothing`.execute(
    trx,
  );
}

/** Erases deleted users' events from the stream, and repeats until no more can arrive. */
export function createErasureLoop<T extends ErasureTables>(options: {
  db: Kysely<T>;
  bus: Bus;
  owner: EventOwner;
  /** Shorter in tests. */
  searchMs?: number;
}): Loop {
  const db = options.db as unknown as Kysely<ErasureTables>;
  const longEnoughMs = options.searchMs ?? searchMs;
  return {
    name: 'erase-facts',
    everyMs: 2_000,
    async run() {
      const wall = new Date();
      const due = await db
        .selectFrom('erasures')
        .selectAll()
        .where('next_look_at', '<=', wall)
        .orderBy('next_look_at')
        .limit(subscriberBatchSize)
        .execute();
      if (due.length === 0) return 0;
      const people = new Set(due.map((one) => one.user_id));
      const { erased, complete } = await eraseFromStream(options, people);
      const over = new Date(wall.getTime() - longEnoughMs);
      const done = due.filter(
        (one) => complete && !erased.has(one.user_id) && one.requested_at <= over,
      );
      await postpone(db, [...people], new Date(wall.getTime() + searchAgainMs));
      await forget(
        db,
        done.map((one) => one.user_id),
      );
      return erased.size;
    },
  };
}

async function postpone(db: Kysely<ErasureTables>, people: string[], until: Date): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ next_look_at: until })
    .where('user_id', 'in', people)
    .execute();
}

async function forget(db: Kysely<ErasureTables>, people: string[]): Promise<void> {
  if (people.length === 0) return;
  await db.deleteFrom('erasures').where('user_id', 'in', people).execute();
}

/** Reads the stream once for all of them. Returns which users had events, and whether the end was reached. */
async function eraseFromStream(
  { bus, owner }: { bus: Bus; owner: EventOwner },
  people: ReadonlySet<string>,
): Promise<{ erased: Set<string>; complete: boolean }> {
  await bus.ensureStream(owner);
  const stream = bus.streamOf(owner);
  const reader = await bus.jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.All,
    mem_storage: true,
    inactive_threshold: 60 * 1e9,
  });
  const erased = new Set<string>();
  try {
    const consumer = await bus.js.consumers.get(stream, reader.name);
    let left = reader.num_pending;
    while (left > 0) {
      const wanted = Math.min(left, messageBatchSize);
      const messages = await consumer.fetch({ max_messages: wanted, expires: 5_000 });
      let received = 0;
      for await (const message of messages) {
        received += 1;
        left = message.info.pending;
        const person = personOf(message, people, bus);
        if (person === null) continue;
        erased.add(person);
        // Overwritten securely. Another replica may have been first; the next run checks again.
        await bus.jsm.streams.deleteMessage(stream, message.seq, true).catch(() => false);
      }
      if (received === 0) return { erased, complete: false };
    }
    return { erased, complete: true };
  } finally {
    await bus.jsm.consumers.delete(stream, reader.name).catch(() => undefined);
  }
}

/** Returns the user whom a message is about, unless it is the deletion. */
function personOf(message: JsMsg, people: ReadonlySet<string>, bus: Bus): string | null {
  if (message.subject === bus.subjectOf(deletion)) return null;
  try {
    const { data } = message.json<{ data?: { user_id?: unknown } }>();
    const id = data?.user_id;
    return typeof id === 'string' && people.has(id) ? id : null;
  } catch {
    return null;
  }
}
