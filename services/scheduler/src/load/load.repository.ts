import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import { isMissed } from '../undelivered/undelivered.repository.ts';

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

/** Counts a date's texts that ended unsent, wherever it was decided. Test texts don't count. */
export async function countEnded(
  db: Kysely<SchedulerDatabase>,
  date: string,
): Promise<{ missed: number; skipped: number }> {
  const ended = (kind: 'daily' | 'announcement') => sql`
    select state from dispatches where local_date = ${date} and ${isMissed(kind)}
      and state in ('missed', 'skipped') and not is_test`;
  const result = await sql<{ missed: number; skipped: number }>`
    select count(*) filter (where state = 'missed')::int as missed,
      count(*) filter (where state = 'skipped')::int as skipped
    from (${ended('daily')} union all ${ended('announcement')}) as ended`.execute(db);
  return result.rows[0] ?? { missed: 0, skipped: 0 };
}
