import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table admins
      -- Null until the invitation is accepted.
      alter column password_hash drop not null,
      add column email text,
      add column last_login_at timestamptz,
      -- Encrypted. The key isn't in the database.
      add column totp_secret text,
      add column totp_begun_at timestamptz,
      add column totp_enabled boolean not null default false,
      -- The last time step whose code was used. No code works twice.
      add column totp_last_step bigint`,
    sql`create table admin_invitations (
      admin_id uuid primary key references admins (id),
      id uuid not null,
      token_hash bytea not null constraint admin_invitations_token_key unique,
      expires_at timestamptz not null
    )`,
    sql`create table admin_recovery_codes (
      admin_id uuid not null references admins (id),
      code_hash bytea not null,
      primary key (admin_id, code_hash)
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
