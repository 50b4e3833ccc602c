import { type Kysely, sql } from 'kysely';

/** What of somebody's settings became different, when, and by whom: what was so on a past day is read from it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table user_changes (
      id bigint generated always as identity primary key,
      user_id uuid not null references users (id) on delete cascade,
      changed_at timestamptz not null,
      actor text not null check (actor in ('subscriber', 'reply', 'admin', 'system')),
      admin_id uuid,
      admin_username text,
      -- {"field": [from, to]}; of a number, a name or an address only that it changed.
      changes jsonb not null,
      check ((actor = 'admin') = (admin_id is not null and admin_username is not null))
    )`,
    sql`create index user_changes_of_user on user_changes (user_id, changed_at desc, id desc)`,
    // From when on every change is known. Whoever was there before this table was made has no earlier history.
    sql`alter table users add column history_since timestamptz not null default now()`,
  ];
  for (const statement of statements) await statement.execute(db);
}
