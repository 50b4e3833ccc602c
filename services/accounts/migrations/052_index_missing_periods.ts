import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_without_period on users (id) where period_version <> subscription_version`.execute(
    db,
  );
}
