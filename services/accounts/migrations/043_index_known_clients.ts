import { type Kysely, sql } from 'kysely';

/** A prefix of the key finds an account's clients. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index known_clients_of_account on known_clients (key text_pattern_ops)`.execute(
    db,
  );
}
