import { type Kysely, sql } from 'kysely';

/** By the random digits of the ids, so the first rows are a fair sample of the queue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index texts_waiting_sample on texts (substr(id, 10)) where state = 'queued'`.execute(
    db,
  );
}
