import { type Kysely, sql } from 'kysely';

/** Sorts free access after active plans instead of among the ended ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // During an upgrade, the previous version still sorts with `status_rank`.
    `create function shown_status_rank(status text, entitled boolean) returns integer
      language sql immutable parallel safe as $$
      select array_position(array['past_due', 'trial', 'active', 'free_access', 'pending', 'canceled', 'expired'],
        case when entitled and status in ('expired', 'canceled') then 'free_access' else status end) $$`,
    `create index users_by_shown_status on users (shown_status_rank(subscription_status, entitled), id)`,
    // Last, because it blocks reads.
    'drop index users_by_status',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
