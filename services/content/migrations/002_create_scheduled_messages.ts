import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table scheduled_messages (
    id uuid primary key,
    version integer not null check (version >= 1),
    title text not null,
    content text not null,
    scheduled_date date not null,
    scheduled_time text not null,
    category text not null check (category in ('daily_motivation', 'announcement')),
    created_at timestamptz not null,
    sent_at timestamptz
  )`.execute(db);
  await sql`create unique index scheduled_messages_one_a_day on scheduled_messages (scheduled_date)
    where category = 'daily_motivation'`.execute(db);
  await sql`create index scheduled_messages_newest
    on scheduled_messages (scheduled_date desc, created_at desc)`.execute(db);
}
