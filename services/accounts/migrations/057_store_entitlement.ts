import { type Kysely, sql } from 'kysely';

/** Staff may give access without a running plan. Existing rows keep their status as the only sign of access. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column entitled boolean not null default false`.execute(db);
}
