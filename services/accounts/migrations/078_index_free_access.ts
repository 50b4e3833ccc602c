import { type Kysely, sql } from 'kysely';

/** For listing subscribers with free access among all whose plans are over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_with_free_access on users (registered_at desc, id desc)
    where entitled and subscription_status in ('expired', 'canceled')`.execute(db);
}
