import { type Kysely, sql } from 'kysely';

/**
 * When each subscriber last got a text. In `users`, each text changed a row with twelve indexes, which was a third of
 * the database's work per text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table last_texts (
      user_id uuid primary key references users (id) on delete cascade,
      sent_at timestamptz
    )`,
    // Every user has a row, so the user list can be read in this order. Replicas of the previous version write the
    // column until they stop.
    sql`create function copy_last_text() returns trigger language plpgsql as $$ begin
        insert into last_texts (user_id, sent_at) values (new.id, new.last_message_sent)
        on conflict (user_id) do update set sent_at = greatest(last_texts.sent_at, excluded.sent_at);
        return null;
      end $$`,
    sql`create trigger copy_last_text after insert or update of last_message_sent on users
      for each row execute function copy_last_text()`,
    sql`insert into last_texts (user_id, sent_at) select id, last_message_sent from users`,
    sql`create index last_texts_by_time on last_texts (sent_at desc nulls last, user_id desc)`,
    sql`drop index users_by_last_message`,
    sql`drop index users_of_subscription_by_last_message`,
  ];
  for (const statement of statements) await statement.execute(db);
}
