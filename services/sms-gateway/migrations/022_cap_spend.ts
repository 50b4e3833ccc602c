import { type Kysely, sql } from 'kysely';

/** Recent cost of texts to unpaid numbers. By number hash, so it outlives the account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Whether `phone` sent a YES or a code. Numbers of earlier subscribers count as proven.
    sql`alter table recipients add column phone_proven boolean not null default true`,
    sql`update recipients set phone_proven = false where subscription_version = 0`,
    sql`create table number_spend (
      number_hash text primary key,
      texted_at timestamptz[] not null default '{}',
      changed_at timestamptz not null
    )`,
    sql`create index number_spend_changed on number_spend (changed_at)`,
    // `area`: 'prefix:+1312556', 'country:US' or 'all'.
    sql`create table area_spend (
      area text not null,
      hour timestamptz not null,
      texts integer not null default 0,
      primary key (area, hour)
    )`,
    sql`create index area_spend_hour on area_spend (hour)`,
    sql`drop table consent_request_counts`,
  ];
  for (const statement of statements) await statement.execute(db);
}
