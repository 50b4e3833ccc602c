import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Progress of the nightly comparison with the provider, so a restart continues where it stopped.
  await sql`create table comparison (
    singleton boolean primary key default true check (singleton),
    next_run_at timestamptz not null,
    -- Wall clock. Lease of the replica that runs it.
    claimed_until timestamptz,
    -- Only objects created before are compared.
    started_at timestamptz not null,
    kind text not null,
    -- The last object compared and its time; null at the start of a kind.
    cursor text,
    cursor_at timestamptz,
    finished_at timestamptz
  )`.execute(db);
}
