import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

interface HourCount {
  starts_at: Date;
  people: number;
}

/** Counts texts by due hour: open ones in the plan and those still to be planned. */
export async function countDueByHour(
  db: Kysely<SchedulerDatabase>,
  from: Date,
  until: Date,
): Promise<HourCount[]> {
  const result = await sql<HourCount>`
    select starts_at, sum(people)::int as people from (
      select starts_at, people + open_dispatches as people from due_hours
      where starts_at >= ${from} and starts_at < ${until}
      union all
      select starts_at, change + open_change from due_hour_changes
      where starts_at >= ${from} and starts_at < ${until}
    ) as due group by starts_at order by starts_at`.execute(db);
  return result.rows;
}
