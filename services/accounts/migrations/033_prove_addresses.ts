import { type Kysely, sql } from 'kysely';

/** An email or phone is only claimed until a link, a code or a YES proves it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table users
      alter column email drop not null,
      alter column phone drop not null,
      add column email_proven_at timestamptz,
      add column email_proof text check (email_proof in ('link', 'session', 'migrated')),
      add column phone_proven_at timestamptz,
      add column phone_proof text check (phone_proof in ('reply', 'session', 'recovery', 'migrated')),
      add column pending_email text check (pending_email = lower(pending_email)),
      add column pending_phone text check (pending_phone ~ '^\\+[1-9][0-9]{6,14}$'),
      -- When a signup without payment or proof is erased; null for accounts that stay.
      add column expires_at timestamptz,
      add check ((email_proven_at is null) = (email_proof is null)),
      add check ((phone_proven_at is null) = (phone_proof is null)),
      add check (email is not null or email_proven_at is null),
      add check (phone is not null or phone_proven_at is null)`,
    sql`alter table users drop constraint users_email_key, drop constraint users_phone_key`,
    sql`create index users_by_email on users (email)`,
    sql`create index users_by_phone on users (phone)`,
    sql`create index users_by_pending_email on users (pending_email) where pending_email is not null`,
    sql`create index users_by_pending_phone on users (pending_phone) where pending_phone is not null`,
    sql`create index users_expiring on users (expires_at) where expires_at is not null`,
    sql`create unique index users_proven_email on users (email) where email_proven_at is not null`,
    sql`create unique index users_proven_phone on users (phone) where phone_proven_at is not null`,
    sql`create or replace function search_words(name text, email text, phone text) returns text[]
      language sql immutable parallel safe as $$
        select array_remove(regexp_split_to_array(lower(name || ' ' || coalesce(email, '')), '[\\s!-/:-@\\[-\`{-~]+'), '')
          || array(select '#' || substr(phone, start) from generate_series(2, length(coalesce(phone, '')) - 2) as start) $$`,
    sql`create table contact_links (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      purpose text not null check (purpose in ('confirm', 'revert')),
      token_hash bytea not null constraint contact_links_token_key unique,
      -- The email that a confirmation proves, or the value that a revert restores.
      field text not null check (field in ('email', 'phone')),
      value text not null,
      -- Requested while signed in.
      in_session boolean not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    sql`create index contact_links_of_user on contact_links (user_id, purpose)`,
    // By keyed hash, without an account: deleting the account doesn't reset the limit.
    sql`create table address_calls (
      address_hash text not null,
      call text not null check (call in ('confirmation', 'code')),
      called_at timestamptz not null
    )`,
    sql`create index address_calls_of_address on address_calls (address_hash, call, called_at)`,
    sql`create index address_calls_age on address_calls (called_at)`,
    sql`alter table one_time_codes
      add column channel text not null default 'text' check (channel in ('text', 'mail')),
      add column purpose text not null default 'recover' check (purpose in ('recover', 'prove', 'change'))`,
  ];
  for (const statement of statements) await statement.execute(db);
}
