import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table price_moves add column currency text not null default 'usd'`.execute(db);
}
