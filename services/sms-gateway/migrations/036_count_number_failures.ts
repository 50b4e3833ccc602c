import { type Kysely, sql } from 'kysely';

/** Texts in a row that a recipient's number couldn't receive, and when the latest of them was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recipients add column failures smallint not null default 0, add column failed_at timestamptz`.execute(
    db,
  );
}
