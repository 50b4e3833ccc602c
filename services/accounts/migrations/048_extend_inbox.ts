import { type Kysely, sql } from 'kysely';

/** Conversations have an assignee, and admins keep replies that they send often. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table conversations add column assignee_id uuid references admins (id) on delete set null`,
    sql`create index conversations_unanswered on conversations (last_at desc, id desc)
      where state = 'open' and (answered_at is null or answered_at < last_at)`,
    sql`create index conversations_of_assignee on conversations (assignee_id, last_at desc, id desc)
      where assignee_id is not null`,
    sql`create table saved_replies (
      id uuid primary key,
      title text not null,
      content text not null,
      changed_at timestamptz not null,
      changed_by text not null
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
