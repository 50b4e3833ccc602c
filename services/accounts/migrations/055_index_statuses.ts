import { type Kysely, sql } from 'kysely';

/** For sorting by status. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_by_status on users (status_rank(subscription_status), id)`.execute(
    db,
  );
}
