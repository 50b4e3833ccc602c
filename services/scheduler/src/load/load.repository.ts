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
  // Each half is read from an index that holds only what is due in the span.
  const result = await sql<HourCount>`
    select starts_at, sum(people)::int as people from (
      select date_trunc('hour', next_due_at) as starts_at, count(*) as people from subscribers
      where next_due_at >= ${from} and next_due_at < ${until} group by 1
      union all
      select date_trunc('hour', due_at), count(*) from dispatches
      where state = 'planned' and kind = 'daily' and due_at >= ${from} and due_at < ${until} group by 1
    ) as due group by starts_at order by starts_at`.execute(db);
  return result.rows;
}
