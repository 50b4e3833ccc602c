import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Records that an event arrived, not its content: the state is always read from the provider.
  await sql`create table stripe_events (
    id text primary key,
    type text not null,
    object_id text,
    source text not null check (source in ('webhook', 'reconcile')),
    created_at timestamptz not null,
    received_at timestamptz not null
  )`.execute(db);
  await sql`create index stripe_events_created on stripe_events (created_at)`.execute(db);
}
