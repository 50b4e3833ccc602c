import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Every address and number that a user has proven; kept after a change and after the account is deleted.
  await sql`create table proven_contacts (
    kind text not null check (kind in ('email', 'phone')),
    -- Keyed hash of the address or number.
    mark text not null,
    user_id uuid not null,
    proven_at timestamptz not null,
    primary key (kind, mark, user_id)
  )`.execute(db);
  // Accounts that had a trial keep their address and number as proven.
  await sql`insert into proven_contacts (kind, mark, user_id, proven_at)
    select kind, mark, user_id, used_at from trial_uses where kind in ('email', 'phone')`.execute(
    db,
  );
  await sql`create index proven_contacts_user on proven_contacts (user_id)`.execute(db);
  await sql`create index trial_uses_user on trial_uses (user_id)`.execute(db);
  await sql`alter table trial_uses drop constraint trial_uses_kind_check,
    add constraint trial_uses_kind_check check (kind in ('account', 'email', 'phone', 'card'))`.execute(
    db,
  );
  await sql`alter table customers add column contact_version integer not null default 0`.execute(
    db,
  );
}
