import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null in rows written before.
  await sql`alter table subscriptions add column current_period_start timestamptz`.execute(db);
  await sql`alter table subscription_changes add column current_period_start timestamptz`.execute(
    db,
  );
  // To decide an unpaid day again when its period is paid. Days without them stay unpaid.
  await sql`alter table lost_days
    add column due_at timestamptz,
    add column frequency text check (frequency in ('daily', 'weekly'))`.execute(db);
}
