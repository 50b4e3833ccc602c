import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions
    add column promotion_id uuid,
    -- What the promotion takes off the next charge.
    add column discount_cents integer not null default 0,
    -- What it also takes off later charges, and so off the monthly recurring revenue.
    add column recurring_discount_cents integer not null default 0`.execute(db);
}
