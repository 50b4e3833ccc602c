import { type Kysely, sql } from 'kysely';

/** Users without a period come last in both orders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_by_latest_period on users (period_end desc nulls last, id desc)`.execute(
    db,
  );
}
