import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Each published version of a subscription, to show its state on a past day.
  await sql`create table subscription_changes (
    user_id uuid not null references customers,
    version integer not null,
    changed_at timestamptz not null,
    actor text not null check (actor in ('subscriber', 'reply', 'provider', 'system')),
    status text not null,
    plan text not null,
    trial_end timestamptz,
    current_period_end timestamptz,
    cancel_at_period_end boolean not null,
    entitled boolean not null,
    entitled_until timestamptz,
    entitled_since timestamptz,
    primary key (user_id, version)
  )`.execute(db);
}
