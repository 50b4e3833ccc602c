import type { DeleteUserResponse } from '@daylift/contracts/managed-users.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { hasEntry } from '../audit-log/audit-log.repository.ts';
import { eraseAccount, stopTexts } from '../deletions/deletions.actions.ts';
import { goodbyeByStaff } from '../deletions/words.ts';
import type { AccountsDeps } from '../deps.ts';
import { NoSuchSubscriber } from '../errors.ts';
import { lockUser } from '../users/users.repository.ts';
import { recordAdminAction } from './record-action.ts';

const action = 'user.deleted';

/** Erases like a subscriber's own deletion. Idempotent for accounts that an admin has deleted. */
export async function deleteUser(
  deps: Pick<AccountsDeps, 'db' | 'clock' | 'identityHash' | 'product' | 'applyRecipient'>,
  id: string,
  by: ActingAdmin,
): Promise<DeleteUserResponse> {
  const deleted = await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, id);
    if (user === undefined) {
      if (await hasEntry(trx, { action, target: id })) return null;
      throw new NoSuchSubscriber();
    }
    await eraseAccount(trx, deps, user, goodbyeByStaff(user, deps.product));
    await recordAdminAction(trx, by, { action, target: id }, deps.clock.now());
    return user;
  });
  if (deleted !== null) await stopTexts(deps, deleted);
  return { telnyx_sync: 'not_required' };
}
