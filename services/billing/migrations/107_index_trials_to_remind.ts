import { type Kysely, sql } from 'kysely';

/** Trials stay in the old index after their reminder, so each search for the next ones read them all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create index subscriptions_to_remind on subscriptions (trial_end) where status = 'trial'
      and not cancel_at_period_end and (reminded_trial_end is null or reminded_trial_end <> trial_end)`,
    `drop index subscriptions_trials`,
  ])
    await sql.raw(statement).execute(db);
}
