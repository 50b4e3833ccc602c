import { type Kysely, sql } from 'kysely';

/** Two global switches, one row each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // `revision` grows with each change. A send decided under an earlier one is decided again.
    sql`create table testing_mode (
      singleton boolean primary key default true check (singleton),
      enabled boolean not null default false,
      test_phone text,
      revision bigint not null default 1,
      check (not enabled or test_phone is not null)
    )`,
    sql`insert into testing_mode default values`,
    // Set when the provider rejects everything (wrong key, no funds). One text probes it again at `probe_at`.
    sql`create table send_pause (
      singleton boolean primary key default true check (singleton),
      paused_at timestamptz,
      reason text,
      probe_at timestamptz,
      failed_probes integer not null default 0,
      check ((paused_at is null) = (probe_at is null))
    )`,
    sql`insert into send_pause default values`,
  ];
  for (const statement of statements) await statement.execute(db);
}
