import { type Kysely, sql } from 'kysely';

/** What the operators' list of subscribers looks for and sorts by, so that it is quick with a million of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Words of name and address, and every end of the number: what begins with the digits sought lies anywhere in it.
    sql`create function search_words(name text, email text, phone text) returns text[]
      language sql immutable parallel safe as $$
        select array_remove(regexp_split_to_array(lower(name || ' ' || email), '[\\s!-/:-@\\[-\`{-~]+'), '')
          || array(select '#' || substr(phone, start) from generate_series(2, length(phone) - 2) as start) $$`,
    // No word holds a sign such as =, so none can be taken for a state.
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
    // Without a list of pending entries, which every search would have to read through.
    sql`create index users_search on users using gin (search) with (fastupdate = off)`,
    sql`create index users_by_name on users (lower(name), id)`,
    sql`create index users_by_delivery_hour on users (delivery_hour, id)`,
    sql`create index users_by_last_message on users (last_message_sent desc nulls last, id desc)`,
    // Whoever came last is on trial, and who is not subscribed gets nothing: these orders go with the subscription.
    sql`create index users_of_subscription_newest on users (subscription_status, registered_at desc, id desc)`,
    sql`create index users_of_subscription_by_last_message on users
      (subscription_status, last_message_sent desc nulls last, id desc)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
