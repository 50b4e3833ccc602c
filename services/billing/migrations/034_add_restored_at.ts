import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // When START restored the renewal. A later cancellation by the subscriber wins.
  await sql`alter table subscriptions add column restored_at timestamptz`.execute(db);
  await sql`update subscriptions set restored_at = last_reply_at
    from provider_tasks
    where kind = 'apply_renewal' and subject = user_id::text and done_at is null
      and stopped_at is null`.execute(db);
}
