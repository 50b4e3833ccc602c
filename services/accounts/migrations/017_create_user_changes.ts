import { type Kysely, sql } from 'kysely';

/** Changes of settings, with time and author, to show the settings of a past day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table user_changes (
      id bigint generated always as identity primary key,
      user_id uuid not null references users (id) on delete cascade,
      changed_at timestamptz not null,
      actor text not null check (actor in ('subscriber', 'reply', 'admin', 'system')),
      admin_id uuid,
      admin_username text,
      -- {"field": [from, to]}. Numbers, names and emails appear without their values.
      changes jsonb not null,
      check ((actor = 'admin') = (admin_id is not null and admin_username is not null))
    )`,
    sql`create index user_changes_of_user on user_changes (user_id, changed_at desc, id desc)`,
    // When the recorded history starts. Users from before this table have no earlier one.
    sql`alter table users add column history_since timestamptz not null default now()`,
  ];
  for (const statement of statements) await statement.execute(db);
}
