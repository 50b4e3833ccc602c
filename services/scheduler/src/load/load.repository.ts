import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

export interface HourCount {
  starts_at: Date;
  people: number;
}

/** Texts of the day by the hour in which they fall due: those of the plan, and those that are still to be planned. */
export async function countDueByHour(
  db: Kysely<SchedulerDatabase>,
  from: Date,
  until: Date,
): Promise<HourCount[]> {
  const result = await sql<HourCount>`
    select starts_at, sum(people)::int as people from (
      select starts_at, people from due_hours where starts_at >= ${from} and starts_at < ${until}
      union all
      select starts_at, change from due_hour_changes where starts_at >= ${from} and starts_at < ${until}
      union all
      select date_trunc('hour', due_at, 'UTC'), count(*) from dispatches
      where state = 'planned' and kind = 'daily' and due_at >= ${from} and due_at < ${until} group by 1
    ) as due group by starts_at order by starts_at`.execute(db);
  return result.rows;
}
