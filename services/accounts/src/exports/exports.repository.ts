import type { ExportPart } from '@daylift/contracts/accounts.http';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { supportMailKey } from '../inbox/message-mail.ts';
import { findOwnConversations } from '../inbox/own-messages.repository.ts';
import type { User } from '../users/users.table.ts';

/**
 * Returns the user's rows in this service, without secrets. Messages from visitors with the same unproven address are
 * left out.
 */
export async function findOwnRows(
  db: Db,
  user: User,
  tryKeys: string[],
): Promise<ExportPart & Record<string, unknown[]>> {
  // Mail belongs to the reader of the address. Only a proof shows who that is.
  const readsMail = user.email_proven_at !== null;
  const [consents, messages, number_changes, changes, codes, calls, sign_in_tries, mails, links] =
    await Promise.all([
      db
        .selectFrom('consents')
        .select(['source', 'wording_version', 'given_at', 'ip', 'user_agent'])
        .select(['timezone', 'delivery_hour'])
        .where('user_id', '=', user.id)
        .orderBy('given_at')
        .execute(),
      readsMail ? findOwnConversations(db, user.id) : [],
      db
        .selectFrom('phone_changes')
        .select('changed_at')
        .where('user_id', '=', user.id)
        .orderBy('changed_at')
        .execute(),
      db
        .selectFrom('user_changes')
        .select(['changed_at', 'actor', 'changes'])
        .where('user_id', '=', user.id)
        .orderBy('changed_at')
        .orderBy('id')
        .execute(),
      db
        .selectFrom('one_time_codes')
        .select(['requested_at', 'expires_at', 'closed_at', 'channel', 'purpose'])
        .where('user_id', '=', user.id)
        .orderBy('requested_at')
        .execute(),
      db
        .selectFrom('limited_calls')
        .select(['call', 'called_at'])
        .where('user_id', '=', user.id)
        .orderBy('called_at')
        .execute(),
      db
        .selectFrom('login_tries')
        .select(['failures', 'last_try_at', 'blocked_until'])
        .where('key', 'in', tryKeys)
        .execute(),
      db
        .selectFrom('mails')
        .select(['subject', 'text', 'created_at', 'sent_at'])
        .where('user_id', '=', user.id)
        .where(sql.val(readsMail), '=', true)
        // Copies for the support address are exported as messages.
        .where('key', 'not like', `${supportMailKey('')}%`)
        .orderBy('created_at')
        .execute(),
      db
        .selectFrom('contact_links')
        .select(['purpose', 'field', 'created_at', 'expires_at'])
        .where('user_id', '=', user.id)
        .orderBy('created_at')
        .execute(),
    ]);
  return {
    consents,
    letters: messages,
    number_changes,
    changes,
    codes,
    calls,
    sign_in_tries,
    mails,
    links,
  };
}
