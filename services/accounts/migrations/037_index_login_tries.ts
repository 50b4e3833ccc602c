import { type Kysely, sql } from 'kysely';

/** A prefix of the key finds a login's attempts from all client addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index login_tries_by_login on login_tries (key text_pattern_ops)`.execute(db);
}
