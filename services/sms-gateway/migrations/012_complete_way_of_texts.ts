import { type Kysely, sql } from 'kysely';

/** Adds what a text's timeline needs: when it was due, and its receipts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // By the scheduler's plan; null for transactional texts and for older ones.
    sql`alter table texts add column due_at timestamptz`,
    sql`create index receipts_of_text on receipts (text_id) where text_id is not null`,
  ];
  for (const statement of statements) await statement.execute(db);
}
