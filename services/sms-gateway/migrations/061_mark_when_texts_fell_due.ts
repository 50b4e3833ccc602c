import { type Kysely, sql } from 'kysely';

/** A lift of a freeze abandons texts by when they became due, without changing each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Null if the text has been due since `due_at`.
    sql`alter table texts add column due_since timestamptz`,
    sql`update texts set due_since = next_attempt_at where state = 'queued' and next_attempt_at > due_at
      and next_attempt_at in (select (one->>'opens_at')::timestamptz from jsonb_array_elements(windows) one)`,
    sql`create index texts_due_since on texts (coalesce(due_since, due_at)) where state = 'queued'`,
  ];
  for (const statement of statements) await statement.execute(db);
}
