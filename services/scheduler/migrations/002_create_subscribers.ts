import { type Kysely, sql } from 'kysely';

/** Subscriber data from the events of three services, which arrive in any order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table subscribers (
      user_id uuid primary key,
      settings_version integer not null default 0,
      timezone text,
      delivery_hour smallint check (delivery_hour between 0 and 23),
      frequency text check (frequency in ('daily', 'weekly')),
      weekday smallint check (weekday between 1 and 7),
      is_active boolean not null default false,
      delivery_enabled boolean not null default false,
      paused_until date,
      consent text not null default 'pending' check (consent in ('granted', 'pending', 'revoked')),
      subscription_version integer not null default 0,
      entitled boolean not null default false,
      entitled_until timestamptz,
      entitled_since timestamptz,
      opted_out boolean not null default false,
      opted_at timestamptz,
      is_deleted boolean not null default false,
      first_local_date date,
      next_local_date date,
      next_due_at timestamptz,
      check ((next_local_date is null) = (next_due_at is null)),
      check (next_due_at is null or (timezone is not null and delivery_hour is not null and frequency is not null
        and first_local_date is not null and entitled and is_active and not is_deleted))
    )`,
    // The planner reads only subscribers who are due soon.
    sql`create index subscribers_next_due on subscribers (next_due_at) where next_due_at is not null`,
    sql`create index subscribers_next_date on subscribers (next_local_date) where next_local_date is not null`,
    // All zones of current and earlier subscribers, so no query has to read all subscribers for them.
    sql`create table zones (timezone text primary key)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
