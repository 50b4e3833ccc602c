import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table users
      -- How long the temporary password works; null once the subscriber has chosen one.
      add column password_expires_at timestamptz,
      -- The admin who created the account; null for a signup.
      add column created_by uuid,
      -- Identifies the submitted form, so submitting it again creates no second account.
      add column request_key uuid`,
    sql`create unique index users_request_key on users (request_key) where request_key is not null`,
    sql`alter table consents drop constraint consents_source_check`,
    sql`alter table consents add constraint consents_source_check check (source in ('signup', 'reply', 'admin'))`,
    // The admin who recorded a written consent.
    sql`alter table consents add column admin_id uuid, add check ((source = 'admin') = (admin_id is not null))`,
  ];
  for (const statement of statements) await statement.execute(db);
}
