import { type Kysely, sql } from 'kysely';

/** Sending also pauses after unclear responses of the provider, which all workers count together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table send_pause add column is_outage boolean not null default false,
    add column unclear_in_a_row integer not null default 0`.execute(db);
}
