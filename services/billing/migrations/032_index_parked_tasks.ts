import { type Kysely, sql } from 'kysely';

/** Finds the few failed tasks, which each metrics scrape counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index provider_tasks_parked on provider_tasks (parked_at)
    where parked_at is not null`.execute(db);
}
