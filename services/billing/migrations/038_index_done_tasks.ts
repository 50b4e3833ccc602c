import { type Kysely, sql } from 'kysely';

/** Completed tasks are deleted after some days, oldest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index provider_tasks_done on provider_tasks (done_at)
    where done_at is not null`.execute(db);
}
