import { type Kysely, sql } from 'kysely';

/** Counts of the provider's error codes, and what they stop, slow down or send again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table provider_errors (
      day date not null,
      phase text not null check (phase in ('sync', 'async')),
      code text not null,
      is_opt_out boolean not null default false,
      texts integer not null,
      last_at timestamptz not null,
      primary key (day, phase, code, is_opt_out)
    )`,
    sql`alter table batches add column stopped_at timestamptz, add column stop_code text,
      add column resumes_at timestamptz, add column resumed_at timestamptz`,
    sql`alter table senders add column slowdowns smallint not null default 0, add column slowed_at timestamptz`,
    // Without a default, so no partition is rewritten.
    sql`alter table texts add column returned_ids text[]`,
  ];
  for (const statement of statements) await statement.execute(db);
}
