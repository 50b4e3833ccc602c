import { type Kysely, sql } from 'kysely';

/** Runs that an operator asked for, one at a time, and when each loop last looked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table runs (
      id uuid primary key,
      requested_at timestamptz not null,
      -- Wall clock: a run whose process died is given up after it.
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
