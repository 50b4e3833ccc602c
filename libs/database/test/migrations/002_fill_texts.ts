import { type Kysely, sql } from 'kysely';

/** Fails if it runs twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into texts (local_date, note) values ('2027-03-07', 'once')`.execute(db);
}
