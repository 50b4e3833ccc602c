import { type Kysely, sql } from 'kysely';

/** Recipients, copied from events of accounts and billing, and numbers that replied STOP. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // `version` and `subscription_version` are the owners', and 0 until their first event. They arrive in any
    // order. `revision` is ours: it grows with every change of what a send decision reads, so a decision made on a
    // copy can be checked when it is stored.
    sql`create table recipients (
      user_id uuid primary key,
      version integer not null default 0,
      subscription_version integer not null default 0,
      revision bigint not null default 1,
      phone text,
      number_hash text,
      number_version integer not null default 0,
      number_changed boolean not null default false,
      first_name text not null default '',
      timezone text,
      delivery_hour smallint,
      frequency text,
      weekday smallint,
      is_active boolean not null default false,
      delivery_enabled boolean not null default false,
      paused_until date,
      consent text not null default 'pending' check (consent in ('granted', 'pending', 'revoked')),
      entitled boolean not null default false,
      entitled_until timestamptz,
      deleted_at timestamptz,
      check (deleted_at is null or (phone is null and number_hash is null and first_name = ''))
    )`,
    sql`create index recipients_number on recipients (number_hash) where number_hash is not null`,
    sql`create index recipients_deleted on recipients (deleted_at) where deleted_at is not null`,
    // By keyed hash, because the list outlives the account. `changed_at` is when the person replied: an older
    // STOP or START that arrives later changes nothing.
    sql`create table opt_outs (
      number_hash text primary key,
      opted_out boolean not null,
      changed_at timestamptz not null,
      source text not null check (source in ('keyword', 'phrase', 'provider'))
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
