import { type Kysely, sql } from 'kysely';

/** Lets the relay send urgent events before all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index outbox_unsent_by_type on outbox (type, position) where sent_at is null`.execute(
    db,
  );
}
