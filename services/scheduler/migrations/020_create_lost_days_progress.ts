import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table lost_days_progress (
    singleton boolean primary key default true check (singleton),
    -- The last date whose lost days are all published.
    published_until date not null,
    -- Wall clock. Lease of the replica that publishes the next date.
    claimed_until timestamptz
  )`.execute(db);
}
