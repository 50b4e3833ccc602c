import { type Kysely, sql } from 'kysely';

/** The scheduler's latest figure, and what was counted here when it arrived. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table due_texts (
    singleton boolean primary key default true check (singleton),
    until timestamptz not null,
    texts integer not null,
    counted_at timestamptz not null,
    sent integer not null,
    arrived_at timestamptz not null
  )`.execute(db);
}
