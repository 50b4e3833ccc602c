import { type Kysely, sql } from 'kysely';

/** The list of plans grows without a migration. A table at a time, because each lock waits for open transactions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customers drop constraint customers_plan_check`.execute(db);
}
