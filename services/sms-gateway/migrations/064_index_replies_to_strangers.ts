import { type Kysely, sql } from 'kysely';

/** Each export and erasure searches them. Subscribers' texts aren't in the index, so it costs their sending nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index texts_to_strangers on texts (reply_to)
    where user_id is null and reply_to is not null`.execute(db);
}
