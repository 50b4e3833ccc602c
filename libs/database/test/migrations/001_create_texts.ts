import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table texts (local_date date not null, note text not null, primary key (local_date, note))
    partition by range (local_date)`.execute(db);
  await sql`create table texts_default partition of texts default`.execute(db);
}
