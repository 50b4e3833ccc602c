import { type Kysely, sql } from 'kysely';

/** Indexes for searching and sorting a million subscribers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Words of the name and email, and every suffix of the number, so a prefix search finds digits anywhere in it.
    sql`create function search_words(name text, email text, phone text) returns text[]
      language sql immutable parallel safe as $$
        select array_remove(regexp_split_to_array(lower(name || ' ' || email), '[\\s!-/:-@\\[-\`{-~]+'), '')
          || array(select '#' || substr(phone, start) from generate_series(2, length(phone) - 2) as start) $$`,
    // Words contain no =, so none can be mistaken for a state.
    sql`create function search_states(is_active boolean, subscription_status text, consent text,
        opted_out boolean, delivery_enabled boolean) returns text[]
      language sql immutable parallel safe as $$
        select array[
          '=' || case when is_active then 'active' else 'paused' end,
          '=subscription:' || subscription_status,
          '=consent:' || consent,
          '=opted_out:' || opted_out,
          '=delivery:' || case when delivery_enabled then 'on' else 'off' end] $$`,
    sql`alter table users add column search tsvector generated always as (array_to_tsvector(
      search_words(name, email, phone)
      || search_states(is_active, subscription_status, consent, opted_out, delivery_enabled))) stored`,
    // Without a pending list, which every search would read.
    sql`create index users_search on users using gin (search) with (fastupdate = off)`,
    sql`create index users_by_name on users (lower(name), id)`,
    sql`create index users_by_delivery_hour on users (delivery_hour, id)`,
    sql`create index users_by_last_message on users (last_message_sent desc nulls last, id desc)`,
    // Filters by status are sorted by the subscription's dates.
    sql`create index users_of_subscription_newest on users (subscription_status, registered_at desc, id desc)`,
    sql`create index users_of_subscription_by_last_message on users
      (subscription_status, last_message_sent desc nulls last, id desc)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
