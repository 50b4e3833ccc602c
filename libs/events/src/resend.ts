import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@daylift/clock/clock';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Bus, EventOwner } from './bus.ts';
import { type EventTables, outboxRetentionMs } from './event-tables.ts';
import { sendEvent } from './send-event.ts';

/** Blocks are sized to what the consumers handle in this time, the longest that new events wait. */
const blockMs = { least: 50, most: 150 };
const blockSize = { least: 20, most: 640 };
/** The next block follows once each consumer has only this many events left. */
const maxPending = 10;
const pollMs = 20;
const maxWaitMs = 1_000;
/** A consumer without a delivery for this long is down, so the others don't wait for it. */
const downAfterMs = 10_000;

export interface StreamLoss {
  /** When the present stream was created. */
  created: string;
  /** It dropped events before a consumer got them, as opposed to being new. */
  isGap: boolean;
}

/** Remembers that everything published so far has to be published again; once per stream, unless it dropped events. */
export async function scheduleResend(
  db: Kysely<EventTables>,
  { created, isGap }: StreamLoss,
): Promise<void> {
  const values = {
    stream_created: created,
    resend_before: sql<number>`(select coalesce(max(position), 0) + 1 from outbox where sent_at is not null)`,
  };
  await db
    .insertInto('relay_state')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('singleton')
        .doUpdateSet(values)
        .where((where) =>
          isGap ? where.lit(true) : where('relay_state.stream_created', '<>', created),
        ),
    )
    .execute();
}

/**
 * Publishes past events again after the stream lost them: the newest first, and only as fast as the consumers take
 * them, so a new event waits behind one block however many are left. Consumers ignore what they have already applied.
 */
export function createResend(options: {
  db: Kysely<EventTables>;
  bus: Bus;
  owner: EventOwner;
  clock: Clock;
}): (before: number) => Promise<number> {
  const { db, bus, owner, clock } = options;
  const deliveries = new Map<string, { count: number; at: number }>();
  let size = blockSize.least;
  let sentAt = 0;

  /** Returns whether each running consumer has nearly caught up. */
  async function hasRoom(): Promise<boolean> {
    const { isHalfFull, consumers } = await bus.backlog(owner);
    return consumers.every(({ service, pending, delivered }) => {
      const known = deliveries.get(service);
      if (known?.count !== delivered)
        deliveries.set(service, { count: delivered, at: performance.now() });
      if (pending <= maxPending) return true;
      // A repeated event must not displace one that a stopped consumer hasn't received.
      return !isHalfFull && performance.now() - (deliveries.get(service)?.at ?? 0) > downAfterMs;
    });
  }

  return async (before) => {
    const end = performance.now() + maxWaitMs;
    while (!(await hasRoom())) {
      if (performance.now() > end) return 0;
      await delay(pollMs);
    }
    const tookMs = performance.now() - sentAt;
    if (tookMs < blockMs.least) size = Math.min(size * 2, blockSize.most);
    if (tookMs > blockMs.most) size = Math.max(size / 2, blockSize.least);
    const since = new Date(clock.now().getTime() - outboxRetentionMs);
    const events = await findSentBefore(db, before, since, size);
    sentAt = performance.now();
    // Under another message id, or the stream would ignore events that it dropped only minutes ago.
    await Promise.all(events.map((event) => sendEvent(bus, event, `resend:${event.id}`)));
    await moveResend(db, before, events[0]?.position ?? null);
    return events.length;
  };
}

export type RelayState = Omit<Selectable<EventTables['relay_state']>, 'singleton'>;
export const readRelayState = (db: Kysely<EventTables>): Promise<RelayState | undefined> =>
  db.selectFrom('relay_state').select(['stream_created', 'resend_before']).executeTakeFirst();

/** Returns the last events before a position, in the order of their first publication. */
async function findSentBefore(db: Kysely<EventTables>, before: number, since: Date, limit: number) {
  const rows = await db
    .selectFrom('outbox')
    .select(['position', 'id', 'type', 'payload', 'traceparent'])
    .where('position', '<', before)
    .where('sent_at', 'is not', null)
    .where('occurred_at', '>', since)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** Does nothing if another replica was faster, or the stream was lost again. */
async function moveResend(db: Kysely<EventTables>, from: number, to: number | null): Promise<void> {
  await db
    .updateTable('relay_state')
    .set({ resend_before: to })
    .where('resend_before', '=', from)
    .execute();
}
