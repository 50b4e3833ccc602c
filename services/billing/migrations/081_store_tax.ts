import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices add column tax_cents integer not null default 0`.execute(db);
  // In the next charge; null if the subscription isn't taxed.
  await sql`alter table subscriptions add column next_charge_tax_cents integer`.execute(db);
}
