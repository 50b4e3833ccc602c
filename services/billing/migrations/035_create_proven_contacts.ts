import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Every email and phone a user has proven, kept after changes and deletion.
  await sql`create table proven_contacts (
    kind text not null check (kind in ('email', 'phone')),
    -- Keyed hash of the email or phone.
    mark text not null,
    user_id uuid not null,
    proven_at timestamptz not null,
    primary key (kind, mark, user_id)
  )`.execute(db);
  // Contacts of accounts that had a trial count as proven.
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
