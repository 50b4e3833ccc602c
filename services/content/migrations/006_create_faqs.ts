import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table faqs (
    id uuid primary key,
    position integer not null,
    question text not null,
    answer text not null
  )`.execute(db);
}
