import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table admins (
      id uuid primary key,
      username text not null constraint admins_username_key unique,
      password_hash text not null,
      role text not null check (role in ('viewer', 'operator', 'owner')),
      session_version integer not null default 0,
      is_active boolean not null default true,
      created_at timestamptz not null
    )`,
    sql`create table audit_log (
      position bigint generated always as identity primary key,
      at timestamptz not null,
      actor_id uuid,
      actor_username text,
      action text not null,
      target text,
      details jsonb,
      ip text,
      request_id text not null
    )`,
    sql`create index audit_log_newest on audit_log (at desc)`,
    // The service owns the table, so revoking a grant isn't enough.
    sql`create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception '% is append-only', tg_table_name; end $$`,
    sql`create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_change()`,
  ];
  for (const statement of statements) await statement.execute(db);
}
