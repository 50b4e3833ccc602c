import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // A row for whoever is asked for, known or not, so that asking takes as long; no reference to users, whose lock it would wait for.
    sql`create table code_asks (
      id uuid primary key,
      user_id uuid,
      asked_at timestamptz not null
    )`,
    // The code is nowhere: it is derived from the request id in the moment it is sent or compared.
    sql`create table one_time_codes (
      request_id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      requested_at timestamptz not null,
      expires_at timestamptz not null,
      tries_left smallint not null check (tries_left >= 0),
      -- Used, or followed by a newer one.
      closed_at timestamptz
    )`,
    sql`create unique index one_time_codes_open on one_time_codes (user_id) where closed_at is null`,
    sql`create index one_time_codes_of_user on one_time_codes (user_id, requested_at)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
