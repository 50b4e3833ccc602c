import { type Kysely, sql } from 'kysely';

/** The daily comparison of opt-outs with the provider's block list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table opt_outs drop constraint opt_outs_source_check, add constraint opt_outs_source_check
      check (source in ('keyword', 'phrase', 'provider', 'staff', 'block_list'))`,
    // When the provider last reported the number as blocked.
    sql`alter table opt_outs add column blocked_at timestamptz`,
    // One row: the latest comparison. `page` is the next one to read; null once all are read.
    sql`create table block_list_checks (
      id integer primary key default 1 check (id = 1),
      started_at timestamptz not null,
      page integer,
      blocked integer not null default 0,
      added integer not null default 0,
      finished_at timestamptz,
      only_here integer,
      lifted integer
    )`,
    sql`insert into block_list_checks (started_at, finished_at) values ('2000-01-01', null)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
