import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // A row for known and unknown logins, so both take as long. No foreign key: it would wait for the user's lock.
    sql`create table code_asks (
      id uuid primary key,
      user_id uuid,
      asked_at timestamptz not null
    )`,
    // The code isn't stored. It is derived from the request id when it is sent or compared.
    sql`create table one_time_codes (
      request_id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      requested_at timestamptz not null,
      expires_at timestamptz not null,
      tries_left smallint not null check (tries_left >= 0),
      -- Used or replaced.
      closed_at timestamptz
    )`,
    sql`create unique index one_time_codes_open on one_time_codes (user_id) where closed_at is null`,
    sql`create index one_time_codes_of_user on one_time_codes (user_id, requested_at)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
