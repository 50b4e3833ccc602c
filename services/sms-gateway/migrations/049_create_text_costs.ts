import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // As last published. A text whose number was erased counts as `unknown`.
  await sql`create table text_costs (
    date date not null,
    country text not null,
    texts integer not null,
    cost numeric(14, 5) not null,
    primary key (date, country)
  )`.execute(db);
}
