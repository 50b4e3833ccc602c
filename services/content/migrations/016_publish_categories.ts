import { type Kysely, sql } from 'kysely';

/** Republishes templates in categories other than the scheduler's default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update templates set version = version + 1 where category <> 'motivational'`.execute(
    db,
  );
}
