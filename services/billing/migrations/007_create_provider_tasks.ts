import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table provider_tasks (
    -- The task and its object. Requested twice, it is one task.
    kind text not null,
    subject text not null,
    -- Incremented by each request, so a request during a run leads to another run.
    asks integer not null default 1,
    -- Part of the provider's idempotency key. Changes only after an attempt that surely failed.
    attempt integer not null default 1,
    tries integer not null default 0,
    next_try_at timestamptz not null,
    -- Wall clock. Lease of the replica that runs it.
    claimed_until timestamptz,
    error text,
    done_at timestamptz,
    parked_at timestamptz,
    primary key (kind, subject)
  )`.execute(db);
  await sql`create index provider_tasks_open on provider_tasks (next_try_at)
    where done_at is null and parked_at is null`.execute(db);
}
