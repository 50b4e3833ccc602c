import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customers add column email_proven boolean not null default false`.execute(
    db,
  );
  await sql`update customers set email_proven = true from proven_contacts
    where proven_contacts.user_id = customers.user_id and kind = 'email' and mark = email_hash`.execute(
    db,
  );
}
