import { type Kysely, sql } from 'kysely';

/** Counts past churn of paid subscribers from their last state. Later churn is counted as it happens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into counter_changes (name, change)
    select 'paid_churned.' || to_char(coalesce(s.current_period_end, s.checked_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24'),
      count(*)
    from subscriptions s join customers c using (user_id)
    where s.status in ('canceled', 'expired') and (c.converted_at is not null or s.trial_end is null)
    group by 1`.execute(db);
}
