import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table promotions (
    -- The request's key, and the id of the coupon at the provider.
    id uuid primary key,
    code text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{2,29}$'),
    kind text not null check (kind in ('percent', 'amount', 'free_days')),
    -- In percent, cents or days.
    value integer not null check (value > 0),
    -- Months of discounted payments; 1 is the first payment only. Null: every payment, or free days.
    months integer check (months > 0),
    plan text check (plan in ('monthly', 'yearly')),
    max_uses integer check (max_uses > 0),
    first_time_only boolean not null,
    expires_at timestamptz,
    created_at timestamptz not null,
    created_by text not null,
    deactivated_at timestamptz,
    -- The promotion code at the provider. Free days have none.
    provider_id text,
    check (kind <> 'percent' or value <= 100),
    check (kind <> 'free_days' or (months is null and first_time_only))
  )`.execute(db);
  await sql`create unique index promotions_code on promotions (code) where deactivated_at is null`.execute(
    db,
  );
}
