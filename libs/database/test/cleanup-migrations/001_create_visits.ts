import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table visits (at timestamptz not null, kept boolean not null default false)`.execute(
    db,
  );
  await sql`create index visits_at on visits (at)`.execute(db);
}
