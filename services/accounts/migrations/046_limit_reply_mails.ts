import { type Kysely, sql } from 'kysely';

/** Counts the replies by text that go into one email an hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table skipped_reply_mails (hour timestamptz primary key, count integer not null)`.execute(
    db,
  );
}
