import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table checkouts add column free_until timestamptz`.execute(db);
}
