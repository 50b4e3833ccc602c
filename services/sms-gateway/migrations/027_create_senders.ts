import { type Kysely, sql } from 'kysely';

/** The pool of sending numbers with their limits, and each recipient's sender. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table senders (
      number text primary key,
      type text not null check (type in ('toll_free', '10dlc', 'short_code', 'alphanumeric')),
      country text not null,
      per_second integer not null check (per_second > 0),
      per_minute integer check (per_minute > 0),
      per_day integer check (per_day > 0),
      campaign text,
      att_per_minute integer check (att_per_minute > 0),
      brand text,
      tmobile_per_day integer check (tmobile_per_day > 0),
      weight integer not null default 1 check (weight > 0),
      state text not null default 'active' check (state in ('active', 'draining', 'paused')),
      created_at timestamptz not null
    )`,
    // `counter`: a number, or 'brand:<brand>'.
    sql`create table sender_days (
      counter text not null,
      day date not null,
      texts integer not null,
      primary key (counter, day)
    )`,
    sql`create table sender_hours (
      number text not null,
      hour timestamptz not null,
      sent integer not null default 0,
      failed integer not null default 0,
      primary key (number, hour)
    )`,
    // Existing recipients keep the first number, without rewriting the table. New ones have none yet.
    sql`alter table recipients add column sender text not null default 'first'`,
    sql`alter table recipients alter column sender set default ''`,
    sql`create index recipients_by_sender on recipients (delivery_hour, timezone, sender)`,
    sql`create index recipients_of_sender on recipients (sender)`,
    sql`alter table texts add column sender text`,
  ];
  for (const statement of statements) await statement.execute(db);
}
