import { type Kysely, sql } from 'kysely';

/** Forecasts now contain the number of skips; those without it are computed again on request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from rehearsals where finished_at is not null`.execute(db);
}
