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

/** Counts texts due in a part of a later hour, from the rows because the counters are of whole hours. */
export async function countDueBetween(
  db: Kysely<SchedulerDatabase>,
  from: Date,
  until: Date,
): Promise<number> {
  const result = await sql<{ texts: number }>`
    select (select count(*) from subscribers where next_due_at >= ${from} and next_due_at < ${until})::int
      + (select count(*) from dispatches
          where state = 'planned' and due_at >= ${from} and due_at < ${until})::int as texts`.execute(
    db,
  );
  return result.rows[0]?.texts ?? 0;
}

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
