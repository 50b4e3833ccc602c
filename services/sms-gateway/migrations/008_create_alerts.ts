import { createMailTable, extendMailTable } from '@daylift/mail/mail';
import { type Kysely, sql } from 'kysely';

/** Who turned testing mode on and when, and alert emails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table testing_mode add column enabled_at timestamptz, add column enabled_by text`,
    // Finds a transactional text's keys when it has to be sent again.
    sql`create index own_text_keys_text on own_text_keys (text_id)`,
    sql`create table alert_settings (
      singleton boolean primary key default true check (singleton),
      email text not null default '',
      threshold_percent smallint not null default 20 check (threshold_percent between 1 and 100),
      enabled boolean not null default false,
      check (not enabled or email <> '')
    )`,
    sql`insert into alert_settings default values`,
    // One row per kind of alert. The process that updates its instant sends it, so replicas send one.
    sql`create table alert_times (kind text primary key, sent_at timestamptz not null)`,
  ];
  for (const statement of statements) await statement.execute(db);
  await createMailTable(db);
  await extendMailTable(db);
}
