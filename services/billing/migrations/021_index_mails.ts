import { type Kysely, sql } from 'kysely';

/** Finds a user's emails for export and erasure. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index mails_by_address on mails (to_address)`.execute(db);
}
