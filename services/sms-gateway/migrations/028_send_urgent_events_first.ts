import { type Kysely, sql } from 'kysely';

/** The relay sends urgent events before all others, however many wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index outbox_unsent_by_type on outbox (type, position) where sent_at is null`.execute(
    db,
  );
}
