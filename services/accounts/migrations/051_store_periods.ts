import { type Kysely, sql } from 'kysely';

/** When each plan renews or ends, so the user list can be sorted by it. Later migrations add its indexes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table users add column period_end timestamptz',
    'alter table users add column renews boolean not null default false',
    // The subscription version that the period belongs to. Replicas of the previous version don't store periods, so the
    // two versions differ until a loop fetches the period.
    'alter table users add column period_version integer not null default 0',
    `create function status_rank(status text) returns integer language sql immutable parallel safe as $$
      select array_position(array['past_due', 'trial', 'active', 'pending', 'canceled', 'expired'], status) $$`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
