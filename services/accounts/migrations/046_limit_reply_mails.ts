import { type Kysely, sql } from 'kysely';

/** Counts the replies that are summarized in one email per hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table skipped_reply_mails (hour timestamptz primary key, count integer not null)`.execute(
    db,
  );
}
