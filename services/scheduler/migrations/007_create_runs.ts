import { type Kysely, sql } from 'kysely';

/** Scheduler runs requested by operators, one at a time, and heartbeats of the loops. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table runs (
      id uuid primary key,
      requested_at timestamptz not null,
      -- Wall clock. Lease of the process that makes the run.
      lease_until timestamptz not null,
      finished_at timestamptz,
      scheduled integer not null default 0,
      batch_id uuid
    )`,
    sql`create unique index runs_one_at_a_time on runs ((true)) where finished_at is null`,
    sql`create index runs_finished on runs (finished_at)`,
    sql`create table heartbeats (name text primary key, looked_at timestamptz not null)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
