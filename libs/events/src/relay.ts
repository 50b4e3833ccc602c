import type { Clock } from '@daylift/clock/clock';
import { type Cleanup, createCleanupLoop } from '@daylift/database/cleanup';
import { keepAwake, noteActivity } from '@daylift/server/activity';
import type { Logger } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import { type Kysely, sql } from 'kysely';
import { hasUrgent, urgentTypes } from './access.ts';
import type { Bus, EventOwner } from './bus.ts';
import { type EventTables, outboxRetentionMs } from './event-tables.ts';
import {
  createResend,
  type RelayState,
  readRelayState,
  type StreamLoss,
  scheduleResend,
} from './resend.ts';
import { sendEvent } from './send-event.ts';

const batchSize = 200;
const urgent = [...urgentTypes];
/** For this long after an event, the relay polls at the shorter interval. */
const busyMs = 2_000;
const busyPollMs = 100;
/** How long other relays leave a claimed row alone; a crash in between only delays it. */
const claimMs = 5_000;
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

/** Returns the loops that move the outbox to NATS: they send, send again what the stream lost, and delete old rows. */
export function createRelay<T extends EventTables>(options: RelayOptions<T>): Loop[] {
  const { bus, owner, clock, log } = options;
  const db = options.db as unknown as Kysely<EventTables>;
  let streamExists = false;
  let busyUntil = 0;
  /** The last batch was full, so more events wait. */
  let isBehind = false;
  let published = 0;
  let poll: NodeJS.Timeout | undefined;

  const resend = createResend({ db, bus, owner, clock });

  /** Returns the position up to which events have to be published again, or null. */
  async function watch(): Promise<number | null> {
    const known = await readRelayState(db);
    const lost = await findLoss(bus, owner, known);
    if (lost === null) return known?.resend_before ?? null;
    await scheduleResend(db, lost);
    if (known !== undefined) {
      log.warn(
        { reason: lost.isGap ? 'stream full' : 'stream recreated' },
        'events lost by nats; republishing',
      );
      noteActivity();
    }
    return (await readRelayState(db))?.resend_before ?? null;
  }

  async function relay(): Promise<number> {
    // Before the first event, which would be published again otherwise.
    if (!streamExists) await watch();
    streamExists = false;
    const urgentSent = isBehind && hasUrgent(owner) ? await sendBatch(db, bus, true) : 0;
    const sent = await sendBatch(db, bus, false);
    isBehind = sent === batchSize;
    streamExists = true;
    published += urgentSent + sent;
    if (sent > 0) {
      keepAwake();
      busyUntil = Date.now() + busyMs;
    }
    // Workers publish too and can't wake this process, so it polls faster for a while.
    if (hasUrgent(owner) && Date.now() < busyUntil) {
      clearTimeout(poll);
      poll = setTimeout(() => options.wake?.(), busyPollMs).unref();
    }
    // Skips a run that would find nothing: each commit that publishes wakes the relay.
    return isBehind ? sent : 0;
  }

  return [
    {
      name: 'outbox-relay',
      everyMs: 1_000,
      ...(hasUrgent(owner) && { restMs: 1_000 }),
      run: relay,
      pending: () => countUnsent(db),
      done: () => published,
    },
    {
      name: 'outbox-stream',
      everyMs: 2_000,
      run: async () => {
        const before = bus.nats.isClosed() ? null : await watch();
        return before === null ? 0 : await resend(before);
      },
    },
    createCleanupLoop({ db, clock }, oldEvents, 'outbox-cleanup'),
  ];
}

/** Claims by lease rather than by lock, so no transaction is open while the broker responds. */
async function sendBatch(db: Kysely<EventTables>, bus: Bus, isUrgent: boolean): Promise<number> {
  const wall = new Date();
  const rows = await db
    .updateTable('outbox')
    .set({ claimed_until: new Date(wall.getTime() + claimMs) })
    .where('position', 'in', (query) =>
      query
        .selectFrom('outbox')
        .select('position')
        .where('sent_at', 'is', null)
        .$if(isUrgent, (rows) => rows.where('type', 'in', urgent))
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
  const rejected = rows
    .filter((_row, index) => results[index]?.status === 'rejected')
    .map((row) => row.position);
  if (acked.length > 0) {
    await db
      .updateTable('outbox')
      .set({ sent_at: new Date() })
      .where('position', 'in', acked)
      .execute();
  }
  if (rejected.length > 0) {
    await db
      .updateTable('outbox')
      .set({ claimed_until: null })
      .where('position', 'in', rejected)
      .execute();
    throw new Error(`NATS rejected ${rejected.length} events`);
  }
  return acked.length;
}

async function countUnsent(db: Kysely<EventTables>): Promise<number> {
  const row = await db
    .selectFrom('outbox')
    .select((select) => select.fn.countAll<number>().as('unsent'))
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.unsent;
}

/** Returns what the stream lost: everything if it was recreated, or what it dropped before a consumer got it. */
async function findLoss(
  bus: Bus,
  owner: EventOwner,
  known: RelayState | undefined,
): Promise<StreamLoss | null> {
  const created = await bus.ensureStream(owner);
  if (known?.stream_created !== created) return { created, isGap: false };
  return (await bus.hasGap(owner)) ? { created, isGap: true } : null;
}
