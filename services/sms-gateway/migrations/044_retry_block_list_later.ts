import { type Kysely, sql } from 'kysely';

/** When the comparison with the block list goes on after the provider didn't respond. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table block_list_checks add column retry_at timestamptz`.execute(db);
}
