import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Paid outside the provider: not in its ledger, and not in amount_paid_cents.
  await sql`alter table invoices
    add column paid_elsewhere_cents integer not null default 0`.execute(db);
}
