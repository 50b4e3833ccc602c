import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The credit that the invoice used up. Null for those read before.
  await sql`alter table invoices add column credit_cents integer`.execute(db);
}
