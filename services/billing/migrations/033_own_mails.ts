import { addMailOwners } from '@daylift/mail/mail';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await addMailOwners(db);
  // Emails were unique, so the address identifies the customer.
  await sql`update mails set user_id = customers.user_id from customers
    where mails.to_address = customers.email and mails.created_at >= customers.registered_at`.execute(
    db,
  );
  await sql`drop index mails_by_address`.execute(db);
}
