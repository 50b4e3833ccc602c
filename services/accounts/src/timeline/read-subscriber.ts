import type { AdminSubscription } from '@daylift/contracts/timeline.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { NotFound, Unavailable } from '@daylift/server/error';
import { byAdmin, recordAudit } from '../audit-log/audit.ts';
import type { AccountsDeps } from '../deps.ts';
import { findUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { readParts } from './parts.ts';
import { isNewView } from './timeline.repository.ts';

export async function getSubscriber(db: AccountsDeps['db'], id: string): Promise<User> {
  const user = await findUser(db, id);
  if (user === undefined) throw new NotFound('Subscriber not found.');
  return user;
}

export async function readSubscription(deps: AccountsDeps, id: string): Promise<AdminSubscription> {
  const user = await getSubscriber(deps.db, id);
  const path = `/internal/subscriptions/${user.id}`;
  const subscription = await readParts(deps).read<AdminSubscription>('billing', path);
  if (subscription === null)
    throw new Unavailable('Plan and payments are unavailable right now. Please try again.');
  return subscription;
}

export async function recordView(
  { db, clock }: AccountsDeps,
  user_id: string,
  by: ActingAdmin,
): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    if (!(await isNewView(trx, { user_id, admin_id: by.admin_id }, now))) return;
    await recordAudit(trx, now, { ...byAdmin(by), action: 'user.viewed', target: user_id });
  });
}
