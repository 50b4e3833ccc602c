import { type Kysely, sql } from 'kysely';

/** What was last published, so an unchanged figure isn't published again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table published_due_texts (
    singleton boolean primary key default true check (singleton),
    until timestamptz not null,
    texts integer not null
  )`.execute(db);
}
