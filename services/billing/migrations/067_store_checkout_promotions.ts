import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table checkouts add column promotion_id uuid, add column stripe_subscription_id text`.execute(
    db,
  );
}
