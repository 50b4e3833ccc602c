import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // What the texts of a day cost, as counted by sms-gateway. `counted_at` is the same for all countries of a day.
  await sql`create table text_costs (
    date date not null,
    country text not null,
    texts integer not null,
    cost numeric(14, 5) not null,
    counted_at timestamptz not null,
    primary key (date, country)
  )`.execute(db);
  // The country of the number. Null until it is published again.
  await sql`alter table customers add column country text`.execute(db);
}
