import { type Kysely, sql } from 'kysely';

/** What the provider knows about proven numbers, and when those without an answer are looked up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table number_lookups (
      number_hash text primary key,
      user_id uuid not null,
      next_try_at timestamptz,
      tries smallint not null default 0,
      changed_at timestamptz not null,
      line_type text,
      carrier text
    )`,
    sql`create index number_lookups_open on number_lookups (next_try_at) where next_try_at is not null`,
    sql`create index number_lookups_user on number_lookups (user_id)`,
    sql`create index number_lookups_changed on number_lookups (changed_at)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
