import { type Kysely, sql } from 'kysely';

/** Copies of messages and templates. Deleted rows stay, because a released text may be published again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table scheduled_messages (
      id uuid primary key,
      version integer not null,
      title text not null,
      content text not null,
      scheduled_date date not null,
      scheduled_time text not null,
      category text not null check (category in ('daily_motivation', 'announcement')),
      is_deleted boolean not null default false,
      completed_at timestamptz
    )`,
    sql`create index scheduled_messages_date on scheduled_messages (scheduled_date) where not is_deleted`,
    sql`create index scheduled_messages_open on scheduled_messages (scheduled_date)
      where completed_at is null and not is_deleted`,
    // A deletion may arrive before the message, and is final.
    sql`create table deleted_messages (id uuid primary key)`,
    sql`create table templates (
      id uuid primary key,
      version integer not null,
      content text not null,
      is_active boolean not null
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
