import { type Kysely, sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

/** Keeps each step short. */
const steps = 256;

/** Remembers which library texts each subscriber had in a month of dispatches. Repeating it changes nothing. */
export async function rememberTemplates(
  db: Kysely<SchedulerDatabase>,
  month: string,
): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    const prefix = step.toString(16).padStart(2, '0');
    const first = `${prefix}000000-0000-0000-0000-000000000000`;
    const last = `${prefix}ffffff-ffff-ffff-ffff-ffffffffffff`;
    await sql`insert into past_templates as past (user_id, numbers)
      select user_id, array_agg(distinct templates.number)
      from ${sql.table(month)} as had join templates on templates.id = had.template_id
        join subscribers using (user_id)
      where had.user_id between ${first}::uuid and ${last}::uuid and not had.is_test
        and had.state in ('released', 'accepted', 'unknown', 'refused') and not subscribers.is_deleted
      group by user_id
      on conflict (user_id) do update set numbers = array(
        select distinct unnest(past.numbers || excluded.numbers)
      )`.execute(db);
  }
  // Those deleted during a step.
  await sql`delete from past_templates as past using subscribers
    where subscribers.user_id = past.user_id and subscribers.is_deleted`.execute(db);
}

export async function forgetTemplates(
  trx: Transaction<SchedulerDatabase>,
  userId: string,
): Promise<void> {
  await trx.deleteFrom('past_templates').where('user_id', '=', userId).execute();
}
