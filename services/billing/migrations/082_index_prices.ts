import { type Kysely, sql } from 'kysely';

/** For who pays another price than new customers, in pages by user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index subscriptions_price on subscriptions (plan, price_cents, user_id) where is_live`.execute(
    db,
  );
}
