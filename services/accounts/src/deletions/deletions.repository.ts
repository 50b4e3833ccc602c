import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { User } from '../users/users.table.ts';

type Trx = Transaction<AccountsDatabase>;

/**
 * Takes a person out of every table. Codes, numbers changed and letters go with the row of the user, letters with their conversation; of a consent stays
 * what proves that the number behind the hash agreed to those words then.
 */
export async function eraseUser(trx: Trx, user: User, tryKeys: string[]): Promise<void> {
  await trx
    .updateTable('consents')
    .set({ ip: null, user_agent: null, timezone: null, delivery_hour: null })
    .where('user_id', '=', user.id)
    .execute();
  await trx.deleteFrom('conversations').where('email', '=', user.email).execute();
  await trx
    .deleteFrom('mails')
    .where((where) =>
      where.or([where('to_address', '=', user.email), where('reply_to', '=', user.email)]),
    )
    .execute();
  await trx.deleteFrom('login_tries').where('key', 'in', tryKeys).execute();
  await trx.deleteFrom('code_asks').where('user_id', '=', user.id).execute();
  await trx.deleteFrom('users').where('id', '=', user.id).execute();
}
