import { type Kysely, sql } from 'kysely';

/** Other services keep each subscriber's latest STOP or START, so theirs must be published in order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recipients add column opted_at timestamptz`.execute(db);
}
