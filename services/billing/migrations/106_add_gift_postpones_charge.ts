import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gifts add postpones_charge boolean`.execute(db);
}
