import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table patience as select current_setting('statement_timeout') as of_a_statement`.execute(
    db,
  );
}
