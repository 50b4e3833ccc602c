import { type Kysely, sql } from 'kysely';

/** Copies of the texts for a subscriber's first days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table sequence_texts (
    id uuid primary key,
    version integer not null,
    day integer not null,
    content text not null,
    is_active boolean not null
  )`.execute(db);
}
