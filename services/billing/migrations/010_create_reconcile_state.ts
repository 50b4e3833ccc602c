import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table reconcile_state (
    singleton boolean primary key default true check (singleton),
    -- All provider events up to here were read.
    seen_until timestamptz not null,
    next_run_at timestamptz not null
  )`.execute(db);
}
