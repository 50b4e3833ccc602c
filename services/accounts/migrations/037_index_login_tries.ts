import { type Kysely, sql } from 'kysely';

/** The tries at one login, from every client address, are found by the start of their key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index login_tries_by_login on login_tries (key text_pattern_ops)`.execute(db);
}
