import { foldAlone } from '@daylift/database/advisory-locks';
import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

const perFold = 5_000;

/** Folds changes into the counts, in one process at a time, and deletes empty hours. */
export function foldDueHours(db: Kysely<SchedulerDatabase>): Promise<number> {
  return foldAlone(db, { task: 'fold_due_hours', changes: 'due_hour_changes' }, async (trx) => {
    const result = await sql<{ folded: number }>`
      with taken as (
        delete from due_hour_changes
        where position in (select position from due_hour_changes order by position limit ${perFold})
        returning starts_at, change, open_change
      ), folded as (
        insert into due_hours (starts_at, people, open_dispatches)
        select starts_at, sum(change), sum(open_change) from taken group by 1
        on conflict (starts_at) do update set people = due_hours.people + excluded.people,
          open_dispatches = due_hours.open_dispatches + excluded.open_dispatches
      )
      select count(*)::int as folded from taken`.execute(trx);
    const folded = result.rows[0]?.folded ?? 0;
    if (folded > 0)
      await trx
        .deleteFrom('due_hours')
        .where('people', '=', 0)
        .where('open_dispatches', '=', 0)
        .execute();
    return folded;
  });
}

/** Counts open texts due before the start of an hour, planned or not. */
export async function countDueBefore(db: Kysely<SchedulerDatabase>, until: Date): Promise<number> {
  const result = await sql<{ texts: number }>`
    select coalesce(sum(texts), 0)::int as texts from (
      select people + open_dispatches as texts from due_hours where starts_at < ${until}
      union all
      select change + open_change from due_hour_changes where starts_at < ${until}
    ) as parts`.execute(db);
  return result.rows[0]?.texts ?? 0;
}
