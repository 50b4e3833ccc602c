import { extendParkedEvents } from '@daylift/events/event-tables';
import { type Kysely, sql } from 'kysely';

/** Adds what admins see of failed events and of texts whose attempts fail before sending. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await extendParkedEvents(db);
  await sql`create table break_offs (
    text_id text primary key,
    local_date date not null,
    times integer not null,
    error text,
    last_at timestamptz not null
  )`.execute(db);
  await sql`create index break_offs_last on break_offs (last_at)`.execute(db);
  await sql`create index break_offs_parked on break_offs (last_at) where times >= 5`.execute(db);
}
