import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

/** A manual send can hold texts for most subscribers; counting all would take as long as the rest of the dashboard. */
const maxHeld = 100_000;

/** Counts texts held for quiet hours, up to a bound. */
export async function countHeld(
  db: Kysely<SchedulerDatabase>,
  { from, until }: { from: Date; until: Date },
): Promise<number> {
  const result = await sql<{ texts: number }>`
    select count(*)::int as texts from (
      select from dispatches
      where state = 'planned' and staff_send_id is not null and due_at > ${from} and due_at < ${until}
      limit ${maxHeld}
    ) as held`.execute(db);
  return result.rows[0]?.texts ?? 0;
}
