import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table faqs
    add column version integer not null default 1 check (version >= 1),
    add column created_at timestamptz`.execute(db);
}
