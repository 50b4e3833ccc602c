import type { Kysely } from 'kysely';
import type { EventTables } from './event-tables.ts';

/** Records since when each event type has a handler. Returns the recorded times, which never change. */
export async function recordHandledTypes(
  db: Kysely<EventTables>,
  types: ReadonlySet<string>,
  since: Date,
): Promise<Map<string, number>> {
  if (types.size === 0) return new Map();
  await db
    .insertInto('handled_types')
    .values([...types].sort().map((type) => ({ type, since })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const rows = await db
    .selectFrom('handled_types')
    .select(['type', 'since'])
    .where('type', 'in', [...types])
    .execute();
  return new Map(rows.map((row) => [row.type, row.since.getTime()]));
}
