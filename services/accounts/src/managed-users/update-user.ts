import type { UpdateUserRequest } from '@daylift/contracts/managed-users.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { AccountsDeps } from '../deps.ts';
import { NoSuchSubscriber } from '../errors.ts';
import { readAddresses } from '../proofs/change-addresses.ts';
import { saveSettings } from '../settings/update-settings.ts';
import { findUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { recordAdminAction } from './record-action.ts';

const settings = ['timezone', 'delivery_hour', 'frequency', 'weekday'] as const;
const contacts = ['name', 'email', 'phone', 'pending_email', 'pending_phone'] as const;

/**
 * Changes a subscriber's settings and contact data by the rules of their own settings page. A new number or email needs
 * its proof, and the old channel is notified.
 */
export async function updateUser(
  deps: AccountsDeps,
  id: string,
  request: UpdateUserRequest,
  by: ActingAdmin,
): Promise<User> {
  const known = await findUser(deps.db, id);
  if (known === undefined) throw new NoSuchSubscriber();
  const { wanted } = await readAddresses(deps, known, request);
  const { admin_id, username } = by;
  return saveSettings(deps, known, request, {
    wanted,
    actor: { by: 'admin', admin_id, username },
    clientHash: null,
    check: (user) => {
      if (user === undefined) throw new NoSuchSubscriber();
      return user;
    },
    record: async (trx, before, after) => {
      const details = changesOf(before, after);
      if (Object.keys(details).length === 0) return;
      const action = { action: 'user.changed', target: id, details };
      await recordAdminAction(trx, by, action, deps.clock.now());
    },
  });
}

/** Contact data is recorded without its values. */
function changesOf(before: User, after: User): Record<string, unknown> {
  const changed = <K extends keyof User>(names: readonly K[]) =>
    names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries([
    ...changed(settings).map((name) => [name, `${before[name]} to ${after[name]}`]),
    ...changed(contacts).map((name) => [name.replace('pending_', ''), 'changed']),
  ]);
}
