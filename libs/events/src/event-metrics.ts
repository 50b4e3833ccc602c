import type { Clock } from '@daylift/clock/clock';
import { Counter, registerGauges } from '@daylift/server/metrics';
import { type Kysely, sql } from 'kysely';
import type { Bus, EventOwner } from './bus.ts';
import type { EventTables } from './event-tables.ts';

/** Counting stops here; larger numbers make no difference and take long. */
const maxCounted = 10_000;

export const eventsHandled = new Counter({
  name: 'events_handled_total',
  help: 'Events consumed, by outcome of each attempt',
  labelNames: ['type', 'result'],
});

/** Reports how many events wait in the outbox, and for how long. */
export function measureOutbox<T extends EventTables>(db: Kysely<T>, clock: Clock): void {
  const tables = db as unknown as Kysely<EventTables>;
  registerGauges([
    {
      name: 'outbox_oldest_unsent_seconds',
      help: 'Age of the oldest unpublished event',
      async read() {
        const oldest = await tables
          .selectFrom('outbox')
          .select('occurred_at')
          .where('sent_at', 'is', null)
          .orderBy('position')
          .limit(1)
          .executeTakeFirst();
        if (oldest === undefined) return 0;
        return Math.max(0, (clock.now().getTime() - oldest.occurred_at.getTime()) / 1_000);
      },
    },
    {
      name: 'outbox_unsent_events',
      help: `Unpublished events, at most ${maxCounted}`,
      async read() {
        const { rows } = await sql<{ unsent: number }>`select count(*) as unsent from (
          select 1 from outbox where sent_at is null limit ${maxCounted}) as waiting`.execute(
          tables,
        );
        return rows[0]?.unsent ?? 0;
      },
    },
  ]);
}

/** Reports the size of the owner's stream and its limit, beyond which it drops its oldest events. */
export function measureStream(bus: Bus, owner: EventOwner): void {
  registerGauges([
    {
      name: 'event_stream_bytes',
      help: 'Size of the event stream',
      read: async () => (await bus.size(owner)).bytes,
    },
    {
      name: 'event_stream_max_bytes',
      help: 'Size at which the event stream drops its oldest events',
      read: async () => (await bus.size(owner)).maxBytes,
    },
  ]);
}
