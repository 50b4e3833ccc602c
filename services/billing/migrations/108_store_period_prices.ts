import { type Kysely, sql } from 'kysely';

/** A lost day may be decided after the renewal at another price. Null in rows written before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription_changes add column price_cents integer`.execute(db);
}
