import { type Kysely, sql } from 'kysely';

/** Finds completed tasks, which are deleted after some days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index provider_tasks_done on provider_tasks (done_at)
    where done_at is not null`.execute(db);
}
