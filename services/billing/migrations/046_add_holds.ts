import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Why the payments of a subscription give no access at present.
  await sql`alter table subscriptions
    add column hold text check (hold in ('disputed', 'lost', 'refunded'))`.execute(db);
  // Null in rows written before.
  await sql`alter table invoices add column stripe_subscription_id text`.execute(db);
}
