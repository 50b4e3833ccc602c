import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table promotions add column currency text not null default 'usd'`.execute(db);
}
