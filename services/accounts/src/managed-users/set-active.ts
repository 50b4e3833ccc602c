import type { ToggleStatusResponse } from '@daylift/contracts/managed-users.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { AccountsDeps } from '../deps.ts';
import { NoSuchSubscriber } from '../errors.ts';
import { recipientOf } from '../users/user-events.ts';
import { changeUser } from '../users/users.actions.ts';
import { lockUser } from '../users/users.repository.ts';
import { recordAdminAction } from './record-action.ts';

/**
 * Pauses or activates a user; without a value, toggles. A pause ends every token for good, and stops texts before the
 * response.
 */
export async function setActive(
  deps: Pick<AccountsDeps, 'db' | 'clock' | 'applyRecipient'>,
  id: string,
  wanted: boolean | undefined,
  by: ActingAdmin,
): Promise<ToggleStatusResponse> {
  const now = deps.clock.now();
  const user = await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, id);
    if (user === undefined) throw new NoSuchSubscriber();
    const is_active = wanted ?? !user.is_active;
    if (is_active === user.is_active) return user;
    const change = is_active
      ? { is_active }
      : { is_active, session_version: user.session_version + 1 };
    const { admin_id, username } = by;
    const changed = await changeUser(trx, user, change, now, { by: 'admin', admin_id, username });
    const action = is_active ? 'user.activated' : 'user.paused';
    await recordAdminAction(trx, by, { action, target: id }, now);
    return changed;
  });
  await deps.applyRecipient(recipientOf(user));
  return { id, is_active: user.is_active, telnyx_sync: 'not_required' };
}
