import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A trial added by staff exists only here until there is a card.
  await sql`alter table subscriptions alter column stripe_subscription_id drop not null`.execute(
    db,
  );
  await sql`alter table subscriptions add constraint subscriptions_live_at_provider
    check (stripe_subscription_id is not null or not is_live)`.execute(db);
  // For the admin list, newest first within a status.
  await sql`create index subscriptions_by_status on subscriptions (status, created_at desc, user_id)`.execute(
    db,
  );
}
