import type { Clock } from '@daylift/clock/clock';
import { minuteMs } from '@daylift/clock/durations';
import type { EventEnvelope } from '@daylift/contracts/event';
import type { Logger } from '@daylift/server/logger';
import { isUnreachable } from '@daylift/server/unreachable';
import type { StoredMsg } from '@nats-io/jetstream';
import type { Kysely } from 'kysely';
import type { Bus, EventOwner } from './bus.ts';
import { type EventTables, outboxRetentionMs } from './event-tables.ts';
import { recordHandledTypes } from './handled-types.ts';
import { parseEvent } from './parse-event.ts';

/** An event as the stream stores it. */
export interface StoredEvent {
  event: EventEnvelope;
  seq: number;
  storedAt: number;
  subject: string;
  text: string;
}

interface LostEventsOptions {
  service: string;
  owner: EventOwner;
  /** Event types with a handler. */
  types: ReadonlySet<string>;
  db: Kysely<EventTables>;
  bus: Bus;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
  /** Applies an event like a delivered one and returns whether it was new. Throws during an outage. */
  apply(message: StoredEvent): Promise<boolean>;
}

export interface LostEvents {
  /** Records which types are handled from now on. Called before the first event is handled. */
  recordTypes(): Promise<void>;
  /** Remembers that an event is in the inbox. */
  noteApplied(id: string, seq: number): void;
  /** Schedules a complete check. */
  suspect(afterMs?: number): void;
  /** Runs the check that is due, if any. Never throws. */
  replayWhenDue(): Promise<void>;
}

const blockSize = 256;
/** Replicas commit slightly out of order, so the search goes back further than the oldest gap it finds. */
const marginMs = 10 * minuteMs;
const everyMs = 60_000;
const retryMs = 1_000;

/**
 * Finds acknowledged events whose effects Postgres has lost, because a replica without the last commits took over, and
 * applies them again. The inbox is the record of what was applied.
 */
export function createLostEvents(options: LostEventsOptions): LostEvents {
  const { service, types, db, bus, clock, log, signal } = options;
  const stream = bus.streamOf(options.owner);
  /** The newest events applied by this process, with their sequences. */
  const recent = new Map<string, number>();
  let handledSince: ReadonlyMap<string, number> = new Map();
  let nextAt = 0;
  let suspected = false;
  /** A complete check ends when everything delivered before it started is acknowledged. */
  let checkTo: number | null = null;

  async function check(): Promise<void> {
    const absent = await findAbsent(db, [...recent.keys()]);
    if (!suspected && absent.size === 0) return;
    suspected = true;
    const info = await bus.jsm.consumers.info(stream, service);
    const delivered = info.delivered.stream_seq;
    // Events above the floor may be in progress in another replica.
    const floor = info.num_ack_pending === 0 ? delivered : info.ack_floor.stream_seq;
    checkTo ??= delivered;
    const lost = await findLost(floor, absent);
    await replay(lost);
    if (floor < checkTo) return;
    suspected = false;
    checkTo = null;
    forgetUnreplayable(absent, new Set(lost), floor);
  }

  /** Forgets events that can't be applied again, or every check would be a complete one. */
  function forgetUnreplayable(
    absent: ReadonlySet<string>,
    lost: ReadonlySet<number>,
    floor: number,
  ): void {
    for (const id of absent) {
      const seq = recent.get(id) ?? 0;
      if (seq <= floor && !lost.has(seq)) recent.delete(id);
    }
  }

  async function findLost(floor: number, absent: ReadonlySet<string>): Promise<number[]> {
    // An empty stream starts at 0, which no message has.
    const first = Math.max(1, (await bus.jsm.streams.info(stream)).state.first_seq);
    const oldestMs = clock.now().getTime() - outboxRetentionMs;
    const isLost = ({ event: { id, type, occurred_at } }: StoredEvent): boolean => {
      const occurredMs = Date.parse(occurred_at);
      // The inbox forgets old events.
      if (occurredMs < oldestMs) return false;
      // An event older than the handler of its type was ignored, not lost.
      return absent.has(id) || occurredMs >= (handledSince.get(type) ?? Number.POSITIVE_INFINITY);
    };
    const missingOf = async (block: StoredEvent[]) => {
      const missing = await findAbsent(
        db,
        block.map(({ event }) => event.id),
      );
      return block.filter((one) => missing.has(one.event.id) && isLost(one));
    };
    const newest = (await readNewest()).filter(({ seq }) => seq <= floor);
    const known = [
      ...(await missingOf(newest)).map(({ seq }) => seq),
      ...[...absent].map((id) => recent.get(id) ?? floor),
    ];
    const blocks: number[][] = [];
    let oldest: StoredEvent | undefined;
    for (let end = floor; end >= first; end -= blockSize) {
      const start = Math.max(first, end - blockSize + 1);
      const block = await readBlock(start, end);
      const missing = await missingOf(block);
      blocks.unshift(missing.map(({ seq }) => seq));
      oldest = missing[0] ?? oldest;
      const last = block.at(-1);
      if (start > Math.min(...known)) continue;
      if (oldest === undefined) break;
      if (missing.length === 0 && last && last.storedAt < oldest.storedAt - marginMs) break;
    }
    return blocks.flat();
  }

  async function readNewest(): Promise<StoredEvent[]> {
    const queries = [...types].map((type) => ({ last_by_subj: bus.subjectOf(type) }));
    return keepHandled(
      await Promise.all(queries.map((query) => bus.jsm.streams.getMessage(stream, query))),
    );
  }

  async function readBlock(start: number, end: number): Promise<StoredEvent[]> {
    const sequences = Array.from({ length: end - start + 1 }, (_, index) => start + index);
    return keepHandled(
      await Promise.all(sequences.map((seq) => bus.jsm.streams.getMessage(stream, { seq }))),
    );
  }

  const keepHandled = (messages: (StoredMsg | null)[]): StoredEvent[] =>
    messages.flatMap((message) => {
      const event = message === null ? null : parseEvent(message.string());
      if (message === null || event === null || !types.has(event.type)) return [];
      const { seq, subject, time } = message;
      return [{ event, seq, subject, storedAt: time.getTime(), text: message.string() }];
    });

  async function replay(lost: number[]): Promise<void> {
    let count = 0;
    try {
      for (const seq of lost) {
        if (signal.aborted) return;
        // Events of a deleted user may have been erased in the meantime.
        for (const message of await readBlock(seq, seq))
          count += (await options.apply(message)) ? 1 : 0;
      }
    } finally {
      if (count > 0) log.warn({ stream, count }, 'events lost by postgres; replayed');
    }
  }

  return {
    async recordTypes() {
      if (handledSince.size > 0) return;
      const info = await bus.jsm.consumers.info(stream, service);
      // A new consumer receives everything that the stream holds.
      const since = info.delivered.consumer_seq === 0 ? new Date(0) : clock.now();
      handledSince = await recordHandledTypes(db, types, since);
    },
    noteApplied(id, seq) {
      recent.delete(id);
      recent.set(id, seq);
      const [first] = recent.keys();
      if (recent.size > blockSize && first !== undefined) recent.delete(first);
    },
    suspect(afterMs = 0) {
      suspected = true;
      checkTo = null;
      nextAt = Math.min(nextAt, clock.now().getTime() + afterMs);
    },
    async replayWhenDue() {
      const now = clock.now().getTime();
      if (now < nextAt) return;
      nextAt = now + everyMs;
      try {
        await check();
      } catch (error) {
        if (signal.aborted) return;
        nextAt = now + (isUnreachable(error as Error) ? retryMs : everyMs);
        log.warn({ err: error, stream }, 'check for lost events failed; retrying');
      }
    },
  };
}

/** Returns which of these events are neither applied nor failed. */
async function findAbsent(db: Kysely<EventTables>, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('inbox')
    .select('event_id')
    .where('event_id', 'in', ids)
    .union(db.selectFrom('parked_events').select('event_id').where('event_id', 'in', ids))
    .execute();
  const present = new Set(rows.map((row) => row.event_id));
  return new Set(ids.filter((id) => !present.has(id)));
}
