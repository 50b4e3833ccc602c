import type { Clock } from '@daylift/clock/clock';
import { dayMs } from '@daylift/clock/durations';
import { type Cleanup, createCleanupLoop } from '@daylift/database/cleanup';
import type { Logger } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import { type Kysely, sql } from 'kysely';
import type { Bus, EventOwner } from './bus.ts';
import type { EventTables } from './event-tables.ts';

const batchSize = 200;
const resendSize = 5_000;
/** For this long after an event, the relay polls at the shorter interval. */
const busyMs = 2_000;
const busyPollMs = 100;
/** How long other relays leave a claimed row alone; a crash in between only delays it. */
const claimMs = 5_000;
/** Events up to this age can be sent again after NATS was lost; older rows are deleted. */
export const outboxRetentionMs = 14 * dayMs;

const oldEvents: Cleanup<EventTables>[] = [
  {
    table: 'outbox',
    column: 'occurred_at',
    keptMs: outboxRetentionMs,
    only: () => sql`sent_at is not null`,
  },
  // The inbox outlives the outbox, so a resent event is never taken for new.
  { table: 'inbox', column: 'handled_at', keptMs: 2 * outboxRetentionMs },
  { table: 'parked_events', column: 'ended_at', keptMs: outboxRetentionMs },
];

interface RelayOptions<T extends EventTables> {
  db: Kysely<T>;
  bus: Bus;
  owner: EventOwner;
  clock: Clock;
  log: Logger;
  /** Runs the relay again. */
  wake?: () => void;
}

/** Returns the loops that move the outbox to NATS: one sends, one watches the stream and deletes old rows. */
export function createRelay<T extends EventTables>(options: RelayOptions<T>): Loop[] {
  const { bus, owner, clock, log } = options;
  const db = options.db as unknown as Kysely<EventTables>;
  let streamIsThere = false;
  let busyUntil = 0;

  async function relay(): Promise<number> {
    if (!streamIsThere) await bus.ensureStream(owner);
    streamIsThere = false;
    const sent = await sendBatch(db, bus);
    streamIsThere = true;
    // Other processes publish too and can't wake this one, so it polls faster for a while.
    if (sent > 0) busyUntil = Date.now() + busyMs;
    else if (options.wake && Date.now() < busyUntil) setTimeout(options.wake, busyPollMs).unref();
    return sent;
  }

  return [
    {
      name: 'outbox-relay',
      everyMs: 1_000,
      run: relay,
      pending: () => countUnsent(db),
    },
    {
      name: 'outbox-stream',
      everyMs: 2_000,
      // Counts the rows that it makes unsent again.
      run: async () => {
        if (bus.nats.isClosed()) return 0;
        const stream = await bus.ensureStream(owner);
        const { again, isFirst } = await resendAfterLoss(db, stream, clock.now());
        // At the first start nothing was lost: the relay was merely faster than this check.
        if (again > 0 && !isFirst) log.warn({ again }, 'stream recreated; republishing events');
        return 0;
      },
    },
    createCleanupLoop({ db, clock }, oldEvents, 'outbox-cleanup'),
  ];
}

/** Claims by lease rather than by lock, so no transaction is open while the broker responds. */
async function sendBatch(db: Kysely<EventTables>, bus: Bus): Promise<number> {
  const wall = new Date();
  const rows = await db
    .updateTable('outbox')
    .set({ claimed_until: new Date(wall.getTime() + claimMs) })
    .where('position', 'in', (query) =>
      query
        .selectFrom('outbox')
        .select('position')
        .where('sent_at', 'is', null)
        .where((where) =>
          where.or([where('claimed_until', 'is', null), where('claimed_until', '<', wall)]),
        )
        .orderBy('position')
        .limit(batchSize)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['position', 'id', 'type', 'payload', 'traceparent'])
    .execute();
  if (rows.length === 0) return 0;
  rows.sort((a, b) => a.position - b.position);
  const results = await Promise.allSettled(rows.map((row) => sendEvent(bus, row)));
  const acked = rows
    .filter((_row, index) => results[index]?.status === 'fulfilled')
    .map((row) => row.position);
  const refused = rows
    .filter((_row, index) => results[index]?.status === 'rejected')
    .map((row) => row.position);
  if (acked.length > 0) {
    await db
      .updateTable('outbox')
      .set({ sent_at: new Date() })
      .where('position', 'in', acked)
      .execute();
  }
  if (refused.length > 0) {
    await db
      .updateTable('outbox')
      .set({ claimed_until: null })
      .where('position', 'in', refused)
      .execute();
    throw new Error(`NATS rejected ${refused.length} events`);
  }
  return acked.length;
}

/** Continues the trace of the publisher, if there is one. */
const sendEvent = (
  bus: Bus,
  event: { id: string; type: string; payload: string; traceparent: string | null },
): Promise<void> =>
  inSpan(
    `publish ${event.type}`,
    {
      kind: SpanKind.PRODUCER,
      attributes: { 'messaging.system': 'nats', 'messaging.message.id': event.id },
      parent: event.traceparent,
    },
    () => bus.send(event),
  );

async function countUnsent(db: Kysely<EventTables>): Promise<number> {
  const row = await db
    .selectFrom('outbox')
    .select((select) => select.fn.countAll<number>().as('unsent'))
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.unsent;
}

/**
 * The stream was recreated, so its messages are gone: republishes everything in the outbox. In parts, because weeks of
 * events exceed one statement; the creation time is stored last, so an interrupted or concurrent run only repeats
 * some.
 */
async function resendAfterLoss(
  db: Kysely<EventTables>,
  created: string,
  now: Date,
): Promise<{ again: number; isFirst: boolean }> {
  const known = await db.selectFrom('relay_state').select('stream_created').executeTakeFirst();
  const isFirst = known === undefined;
  if (known?.stream_created === created) return { again: 0, isFirst };
  const since = new Date(now.getTime() - outboxRetentionMs);
  let [after, again] = [0, 0];
  for (;;) {
    const positions = await markUnsent(db, after, since);
    if (positions.length === 0) break;
    after = Math.max(...positions);
    again += positions.length;
  }
  await db
    .insertInto('relay_state')
    .values({ stream_created: created })
    .onConflict((conflict) => conflict.column('singleton').doUpdateSet({ stream_created: created }))
    .execute();
  return { again, isFirst };
}

/** Marks the next part of the sent rows as unsent and returns their positions. */
async function markUnsent(db: Kysely<EventTables>, after: number, since: Date): Promise<number[]> {
  const rows = await db
    .updateTable('outbox')
    .set({ sent_at: null, claimed_until: null })
    .where('position', 'in', (query) =>
      query
        .selectFrom('outbox')
        .select('position')
        .where('position', '>', after)
        .where('sent_at', 'is not', null)
        .where('occurred_at', '>', since)
        .orderBy('position')
        .limit(resendSize),
    )
    .returning('position')
    .execute();
  return rows.map(({ position }) => position);
}
