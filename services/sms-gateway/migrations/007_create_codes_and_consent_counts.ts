import { type Kysely, sql } from 'kysely';

/** Texts with a code, and how often a number was asked to reply YES. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table texts drop constraint texts_kind_check`,
    sql`alter table texts add constraint texts_kind_check check (kind in
      ('daily', 'announcement', 'welcome', 'consent_request', 'help', 'confirmation', 'one_time_code'))`,
    // Across all accounts, because anyone can enter any number. By keyed hash, for privacy.
    sql`create table consent_request_counts (
      number_hash text not null,
      day date not null,
      asked integer not null check (asked between 0 and 5),
      refused integer not null default 0,
      primary key (number_hash, day)
    )`,
    sql`create index consent_request_counts_day on consent_request_counts (day)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
