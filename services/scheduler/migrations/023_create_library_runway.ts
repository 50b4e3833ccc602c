import { type Kysely, sql } from 'kysely';

/** How many days the library lasts, and which warnings operators had. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table templates add column category text not null default 'motivational'`,
    sql`create table library_runway (
      singleton boolean primary key default true check (singleton),
      computed_at timestamptz not null,
      -- Changes with every change of the library.
      library_key text not null,
      categories jsonb not null
    )`,
    sql`create table library_warnings (
      category text not null,
      threshold_days integer not null,
      warned_at timestamptz not null,
      primary key (category, threshold_days)
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}
