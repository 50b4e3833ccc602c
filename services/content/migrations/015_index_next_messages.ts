import { type Kysely, sql } from 'kysely';

/** The list shows the next message first, and the sent ones after all others, latest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index scheduled_messages_next on scheduled_messages ((sent_at is not null),
    (case when sent_at is null then scheduled_date - '2000-01-01'::date
      else '2000-01-01'::date - scheduled_date end), created_at, id)`.execute(db);
}
