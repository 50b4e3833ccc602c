import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table templates (
    id uuid primary key,
    version integer not null check (version >= 1),
    -- The last published version. At startup, unpublished ones are published.
    published_version integer not null default 0,
    title text not null,
    content text not null,
    category text not null,
    is_active boolean not null
  )`.execute(db);
  await sql`create index templates_unpublished on templates (id) where published_version < version`.execute(
    db,
  );
}
