import { type Kysely, sql } from 'kysely';

/** Sorts free access after active plans instead of among the ended ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'drop index users_by_status',
    `create or replace function status_rank(status text) returns integer language sql immutable parallel safe as $$
      select array_position(
        array['past_due', 'trial', 'active', 'free_access', 'pending', 'canceled', 'expired'], status) $$`,
    `create index users_by_status on users (status_rank(
      case when entitled and subscription_status in ('expired', 'canceled') then 'free_access'
        else subscription_status end), id)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
