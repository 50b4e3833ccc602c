import { type Kysely, sql } from 'kysely';

/** The result of a rehearsal now tells how many it skips; one without that is computed anew when somebody looks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from rehearsals where finished_at is not null`.execute(db);
}
