import { type Kysely, sql } from 'kysely';

/** The few parked tasks among all that were ever done: each scrape of the metrics counts them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index provider_tasks_parked on provider_tasks (parked_at)
    where parked_at is not null`.execute(db);
}
