import { type Kysely, sql } from 'kysely';

/** The list of plans grows without a migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop constraint users_plan_check`.execute(db);
}
