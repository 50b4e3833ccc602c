import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customers add column trial_ended_at timestamptz`.execute(db);
  await sql`update customers c set trial_ended_at = ended.at
    from (
      select s.user_id, coalesce(min(after.changed_at), min(s.trial_end)) as at
      from subscriptions s
      left join subscription_changes trial on trial.user_id = s.user_id and trial.status = 'trial'
      left join subscription_changes after on after.user_id = trial.user_id
        and after.version = trial.version + 1 and after.status <> 'trial'
      where s.status <> 'trial' and exists (select from trial_uses t where t.user_id = s.user_id)
      group by s.user_id
    ) ended
    where ended.user_id = c.user_id and ended.at is not null`.execute(db);
  await sql`create index customers_trial_ended on customers (trial_ended_at) where trial_ended_at is not null`.execute(
    db,
  );
}
