import { type Kysely, sql } from 'kysely';

/** The clients of one account are found by the start of their key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index known_clients_of_account on known_clients (key text_pattern_ops)`.execute(
    db,
  );
}
