import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table contact_links
      -- False once a later change of the same address is requested: only the newest change extends its links.
      add column is_latest boolean not null default true,
      add column channel text not null default 'mail' check (channel in ('mail', 'text'))`,
    sql`create index contact_links_age on contact_links (expires_at)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
