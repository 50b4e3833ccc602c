import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_by_period on users (period_end, id)`.execute(db);
}
