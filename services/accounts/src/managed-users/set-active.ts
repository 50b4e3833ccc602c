import type {
  ManyStatuses,
  ManyStatusesRequest,
  ToggleStatusResponse,
} from '@daylift/contracts/managed-users.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { AccountsDeps } from '../deps.ts';
import { NoSuchSubscriber } from '../errors.ts';
import { recipientOf } from '../users/user-events.ts';
import { changeUser } from '../users/users.actions.ts';
import { lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { recordAdminAction } from './record-action.ts';

type Deps = Pick<AccountsDeps, 'db' | 'clock' | 'applyRecipient'>;

/**
 * Pauses or activates a user; without a value, toggles. A pause ends every token for good, and stops texts before the
 * response.
 */
export async function setActive(
  deps: Deps,
  id: string,
  wanted: boolean | undefined,
  by: ActingAdmin,
): Promise<ToggleStatusResponse> {
  const { user } = await change(deps, id, wanted, by);
  return { id, is_active: user.is_active, telnyx_sync: 'not_required' };
}

/** Pauses or activates several users, each in its own transaction. Repeating it changes only the remaining ones. */
export async function setManyActive(
  deps: Deps,
  { ids, is_active }: ManyStatusesRequest,
  by: ActingAdmin,
): Promise<ManyStatuses> {
  const done: ManyStatuses = { changed: 0, unchanged: 0, missing: 0 };
  for (const id of new Set(ids)) {
    try {
      const { isChanged } = await change(deps, id, is_active, by);
      done[isChanged ? 'changed' : 'unchanged'] += 1;
    } catch (error) {
      if (!(error instanceof NoSuchSubscriber)) throw error;
      done.missing += 1;
    }
  }
  return done;
}

async function change(
  deps: Deps,
  id: string,
  wanted: boolean | undefined,
  by: ActingAdmin,
): Promise<{ user: User; isChanged: boolean }> {
  const now = deps.clock.now();
  const result = await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, id);
    if (user === undefined) throw new NoSuchSubscriber();
    const is_active = wanted ?? !user.is_active;
    if (is_active === user.is_active) return { user, isChanged: false };
    const change = is_active
      ? { is_active }
      : { is_active, session_version: user.session_version + 1 };
    const { admin_id, username } = by;
    const changed = await changeUser(trx, user, change, now, { by: 'admin', admin_id, username });
    const action = is_active ? 'user.activated' : 'user.paused';
    await recordAdminAction(trx, by, { action, target: id }, now);
    return { user: changed, isChanged: true };
  });
  await deps.applyRecipient(recipientOf(result.user, 'admin'));
  return result;
}
