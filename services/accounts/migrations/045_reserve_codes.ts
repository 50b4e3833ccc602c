import { type Kysely, sql } from 'kysely';

/** Counts codes requested by strangers, and their wrong guesses, apart from a known client's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table code_asks add column from_known boolean not null default false`,
    sql`alter table one_time_codes add column from_known boolean not null default false,
      add column known_tries_left integer not null default 5`,
  ];
  for (const statement of statements) await statement.execute(db);
}
