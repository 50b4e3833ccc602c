import { type Kysely, sql } from 'kysely';

/** Sending rests as well when the provider answers nothing clear any more; all workers count that together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table send_pause add column is_outage boolean not null default false,
    add column unclear_in_a_row integer not null default 0`.execute(db);
}
