import { type Kysely, sql } from 'kysely';

/** Which library texts a subscriber had in dropped months. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table templates add column number integer generated always as identity`.execute(
    db,
  );
  await sql`create table past_templates (
    user_id uuid primary key,
    numbers integer[] not null
  )`.execute(db);
}
