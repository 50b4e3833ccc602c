import { type Kysely, sql } from 'kysely';

/** Publishes templates again whose category the scheduler doesn't assume. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update templates set version = version + 1 where category <> 'motivational'`.execute(
    db,
  );
}
