import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table price_moves (
    -- The request's key, so a repeated request is the same move.
    id uuid primary key,
    plan text not null check (plan in ('monthly', 'yearly')),
    from_cents integer not null,
    to_cents integer not null,
    -- The new price at the provider.
    provider_price text not null,
    reason text not null,
    created_at timestamptz not null,
    created_by text not null,
    -- Subscribers from this one on are still to be planned; null once all are.
    next_user_id uuid
  )`.execute(db);
  await sql`create table price_changes (
    move_id uuid not null references price_moves,
    -- No foreign key: a page of new rows would lock its customers against everything else.
    user_id uuid not null,
    stripe_subscription_id text not null,
    state text not null check (state in ('planned', 'announced', 'applied', 'dropped')),
    announced_at timestamptz,
    -- The first renewal at the new price, as the email says.
    promised_at timestamptz,
    -- The same as far as known now: free days may delay it.
    effective_at timestamptz,
    -- When the subscriber chose to end the plan instead.
    declined_at timestamptz,
    -- When to check it again; null once it is applied or dropped.
    due_at timestamptz,
    primary key (move_id, user_id)
  )`.execute(db);
  await sql`create index price_changes_user on price_changes (user_id)`.execute(db);
  await sql`create unique index price_changes_open on price_changes (user_id) where state in ('planned', 'announced')`.execute(
    db,
  );
  await sql`create index price_changes_due on price_changes (due_at) where due_at is not null`.execute(
    db,
  );
}
