import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Months whose figures were published, so each is at most once.
  await sql`create table month_reports (
    month text primary key,
    published_at timestamptz not null
  )`.execute(db);
}
