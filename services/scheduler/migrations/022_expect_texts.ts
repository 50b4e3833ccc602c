import { type Kysely, sql } from 'kysely';

/** How many texts a batch is expected to have, so a large one can begin with a few. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table batches add column expected integer`.execute(db);
}
