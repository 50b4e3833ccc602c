import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table half_of_it (id integer primary key)`.execute(db);
  await sql`select * from nothing`.execute(db);
}
