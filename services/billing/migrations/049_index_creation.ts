import { type Kysely, sql } from 'kysely';

/** For the nightly comparison, which reads our copies by the time of a page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index invoices_created on invoices (created_at)`.execute(db);
  await sql`create index subscriptions_live on subscriptions (started_at) where is_live`.execute(
    db,
  );
}
