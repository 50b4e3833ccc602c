import { type Kysely, sql } from 'kysely';

/** The texts of a large batch that go first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table batches add column canary_ids text[]`.execute(db);
  await sql`create index batches_with_canaries on batches (resumes_at) where stop_code = 'canary'`.execute(
    db,
  );
}
