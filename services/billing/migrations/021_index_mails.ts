import { type Kysely, sql } from 'kysely';

/** Somebody's mails are looked for when they download their data, and when they leave. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index mails_by_address on mails (to_address)`.execute(db);
}
