import type { EventEnvelope } from '@daylift/contracts/event';
import type { EventTables } from '@daylift/events/event-tables';
import type { Kysely } from 'kysely';

export async function publishedEvents<T extends EventTables>(
  db: Kysely<T>,
  type?: string,
): Promise<EventEnvelope[]> {
  const rows = await (db as unknown as Kysely<EventTables>)
    .selectFrom('outbox')
    .select('payload')
    .$if(type !== undefined, (some) => some.where('type', '=', type ?? ''))
    .orderBy('position')
    .execute();
  return rows.map((row) => JSON.parse(row.payload) as EventEnvelope);
}
