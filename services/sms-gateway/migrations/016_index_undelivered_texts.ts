import { type Kysely, sql } from 'kysely';

/** Daily texts that a carrier didn't deliver, by date and reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index texts_undelivered on texts (local_date, reason, user_id)
    where state = 'failed' and kind = 'daily' and not is_test`.execute(db);
}
