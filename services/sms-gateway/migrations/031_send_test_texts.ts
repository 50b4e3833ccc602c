import { type Kysely, sql } from 'kysely';

/** Test texts that admins send to their own phones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table texts drop constraint texts_kind_check`,
    sql`alter table texts add constraint texts_kind_check check (kind in ('daily', 'announcement', 'welcome',
      'consent_request', 'help', 'confirmation', 'stop_confirmation', 'one_time_code', 'answer', 'test'))`,
    sql`create table test_texts (
      id uuid primary key,
      admin_id uuid not null,
      created_at timestamptz not null
    )`,
    sql`create index test_texts_by_admin on test_texts (admin_id, created_at)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
