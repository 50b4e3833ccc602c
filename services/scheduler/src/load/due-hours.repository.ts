import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

const perFold = 5_000;

/** Folds changes into the counts, in one process at a time; hours that nobody is due in are forgotten. */
export function foldDueHours(db: Kysely<SchedulerDatabase>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const lock = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext(current_schema() || '.fold_due_hours')) as mine`.execute(
      trx,
    );
    if (lock.rows[0]?.mine !== true) return 0;
    const result = await sql<{ folded: number }>`
      with taken as (
        delete from due_hour_changes
        where position in (select position from due_hour_changes order by position limit ${perFold})
        returning starts_at, change
      ), folded as (
        insert into due_hours (starts_at, people)
        select starts_at, sum(change) from taken group by 1
        on conflict (starts_at) do update set people = due_hours.people + excluded.people
      )
      select count(*)::int as folded from taken`.execute(trx);
    const folded = result.rows[0]?.folded ?? 0;
    if (folded > 0) await trx.deleteFrom('due_hours').where('people', '=', 0).execute();
    return folded;
  });
}
