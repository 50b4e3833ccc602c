import type { Cleanup } from '@daylift/database/cleanup';
import { maxAttempts } from '@daylift/mail/mail';
import { sql } from 'kysely';
import type { AccountsDatabase, Trx } from '../database.ts';
import { forgetClients } from '../sessions/known-clients.repository.ts';
import type { User } from '../users/users.table.ts';

/** Their accounts are deleted, so their addresses must not wait for staff. */
export const failedGoodbyes: Cleanup<AccountsDatabase> = {
  table: 'mails',
  column: 'next_try_at',
  keptMs: 0,
  only: () => sql`sent_at is null and erase_when_done and tries >= ${sql.lit(maxAttempts)}`,
};

/**
 * Erases an account's rows from every table. Codes, number changes and conversations cascade from the user; a consent
 * keeps the proof that the hashed number agreed to its wording.
 */
export async function eraseUser(trx: Trx, user: User): Promise<void> {
  await trx
    .updateTable('consents')
    .set({ ip: null, user_agent: null, timezone: null, delivery_hour: null })
    .where('user_id', '=', user.id)
    .execute();
  await trx.deleteFrom('mails').where('user_id', '=', user.id).execute();
  if (user.email_proven_at !== null) await eraseVisitorMessages(trx, user.email);
  await forgetClients(trx, user.id);
  await trx.deleteFrom('code_asks').where('user_id', '=', user.id).execute();
  await trx.deleteFrom('users').where('id', '=', user.id).execute();
}

/** Erases messages sent without an account from the proven address. */
async function eraseVisitorMessages(trx: Trx, email: string | null): Promise<void> {
  await trx
    .deleteFrom('conversations')
    .where('email', '=', email)
    .where('user_id', 'is', null)
    .execute();
  await trx
    .deleteFrom('mails')
    .where((where) => where.or([where('to_address', '=', email), where('reply_to', '=', email)]))
    .where('user_id', 'is', null)
    .execute();
}
