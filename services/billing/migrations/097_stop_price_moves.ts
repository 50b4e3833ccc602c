import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table price_moves add column stopped_at timestamptz, drop constraint price_moves_plan_check`.execute(
    db,
  );
  await sql`alter table plan_changes drop constraint plan_changes_plan_check`.execute(db);
  await sql`alter table promotions drop constraint promotions_plan_check`.execute(db);
}
