import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices add column discount_cents integer not null default 0`.execute(db);
}
