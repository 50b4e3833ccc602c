import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Deleted templates stay, because texts refer to them.
  await sql`alter table templates
    add column frequency text not null default 'daily' check (frequency in ('daily', 'weekly')),
    add column scheduled_time text,
    add column tags text[] not null default '{}',
    add column created_at timestamptz,
    add column deleted_at timestamptz`.execute(db);
}
