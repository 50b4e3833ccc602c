import { type Kysely, sql } from 'kysely';

/** Apart from the new column, whose lock would block reads meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create index texts_due_since on texts (coalesce(due_since, due_at)) where state = 'queued'`,
    // Texts that the provider returned, and those that wait for a window.
    sql`update texts set due_since = next_attempt_at where state = 'queued' and next_attempt_at > due_at
      and (returned_ids is not null or next_attempt_at in (
        select (one->>'opens_at')::timestamptz from jsonb_array_elements(windows) one))`,
  ];
  for (const statement of statements) await statement.execute(db);
}
