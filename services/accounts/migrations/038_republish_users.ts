import { type Kysely, sql } from 'kysely';

/**
 * Other services copied the users before emails and phones had proofs, so every user is published again, in chunks.
 * Earlier unpaid signups get an expiry that leaves time for an open checkout.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // No foreign key: it would lock users against writes during the copy.
    sql`create table users_to_republish (user_id uuid primary key)`,
    sql`insert into users_to_republish select id from users`,
    sql`update users set expires_at = now() + interval '25 hours'
      where subscription_version = 0 and created_by is null and expires_at is null
        and email_proven_at is null and phone_proven_at is null`,
  ];
  for (const statement of statements) await statement.execute(db);
}
