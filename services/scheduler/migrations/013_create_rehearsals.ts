import { type Kysely, sql } from 'kysely';

/** The forecast of the coming days, computed in pages in the background and kept until the next one is complete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table rehearsals (
      id uuid primary key,
      as_of timestamptz not null,
      -- Wall clock. After it, another process restarts the forecast.
      token uuid,
      lease_until timestamptz,
      started_at timestamptz not null,
      progress smallint not null default 0,
      finished_at timestamptz,
      result jsonb,
      check ((finished_at is null) = (result is null))
    )`,
    sql`create unique index rehearsals_one_at_a_time on rehearsals ((true)) where finished_at is null`,
    sql`create table rehearsal_skips (
      rehearsal_id uuid not null references rehearsals (id) on delete cascade,
      key text not null,
      user_id uuid not null,
      due_at timestamptz not null,
      primary key (rehearsal_id, key, user_id)
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
