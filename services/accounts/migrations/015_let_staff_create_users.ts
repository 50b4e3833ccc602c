import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table users
      -- Until then the password that staff were shown may be used; null once the person has one of their own.
      add column password_expires_at timestamptz,
      -- The admin who made the account; null for whoever signed up.
      add column created_by uuid,
      -- Names the one form that the account was made by: sent a second time, it makes no second one.
      add column request_key uuid`,
    sql`create unique index users_request_key on users (request_key) where request_key is not null`,
    sql`alter table consents drop constraint consents_source_check`,
    sql`alter table consents add constraint consents_source_check check (source in ('signup', 'reply', 'admin'))`,
    // Who vouched for a consent that was given in writing.
    sql`alter table consents add column admin_id uuid, add check ((source = 'admin') = (admin_id is not null))`,
  ];
  for (const statement of statements) await statement.execute(db);
}
