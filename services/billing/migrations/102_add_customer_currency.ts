import { type Kysely, sql } from 'kysely';

/** Null until the currency is fixed. Referrers may have earned credit in dollars already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customers add column currency text`.execute(db);
  await sql`update customers set currency = 'usd' where stripe_customer_id is null
    and user_id in (select referrer_user_id from referrals)`.execute(db);
  await sql`create index customers_currency on customers (currency, user_id) where currency <> 'usd'`.execute(
    db,
  );
}
