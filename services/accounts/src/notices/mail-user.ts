import type { Words } from '@daylift/mail/compose-mail';
import { queueMail } from '@daylift/mail/mail';
import type { Trx } from '../database.ts';
import { hasSubscribed } from '../users/users.actions.ts';
import type { User } from '../users/users.table.ts';

/** Queues an email to a subscriber. An unpaid account gets none at an unproven email, which may be a stranger's. */
export async function mailUser(
  trx: Trx,
  user: User,
  mail: Words & { key: string; eraseWhenSent?: boolean },
  now: Date,
): Promise<void> {
  if (user.email === null || (user.email_proven_at === null && !hasSubscribed(user))) return;
  await queueMail(trx, { to: user.email, userId: user.id, ...mail }, now);
}
