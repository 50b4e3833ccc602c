import { type Kysely, sql } from 'kysely';

/** See `logDay` in src/texts/due-texts.repository.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `drop index texts_in_order`,
    `create index texts_in_order on texts ((local_date + 0), created_at)`,
    `drop index texts_by_state`,
    `create index texts_by_state on texts (state, (local_date + 0), created_at) where state <> 'delivered'`,
    `drop index texts_of_batch`,
    `create index texts_of_batch on texts (batch_id, (local_date + 0), created_at) where batch_id is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
