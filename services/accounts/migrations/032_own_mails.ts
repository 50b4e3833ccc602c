import { addMailOwners } from '@daylift/mail/mail';
import { type Kysely, sql } from 'kysely';

/** Adds the account to earlier emails, taken from their keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addMailOwners(db);
  const statements = [
    sql`update mails set user_id = letters.user_id from letters
      where mails.key = 'letter:' || letters.id and letters.user_id is not null`,
    sql`update mails set user_id = conversations.user_id from answers
      join conversations on conversations.id = answers.conversation_id
      where mails.key = 'answer:' || answers.id and conversations.user_id is not null`,
    sql`update mails set user_id = one_time_codes.user_id from one_time_codes
      where mails.key = 'one-time-code:' || one_time_codes.request_id`,
    sql`update mails set user_id = users.id from users
      where mails.key like 'number-changed:' || users.id || ':%' and mails.to_address = users.email`,
    // These keys contain no account. Emails were unique, so the address identifies it.
    sql`update mails set user_id = users.id from users
      where mails.key like 'password-changed:%' and mails.to_address = users.email
        and mails.created_at >= users.registered_at`,
  ];
  for (const statement of statements) await statement.execute(db);
}
