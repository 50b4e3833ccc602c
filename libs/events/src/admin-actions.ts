import { AdminAction } from '@daylift/contracts/admin-action';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Transaction } from 'kysely';
import type { EventTables } from './event-tables.ts';
import { publish } from './publish.ts';

const adminEvents = {
  'billing.admin.acted': AdminAction,
  'content.admin.acted': AdminAction,
  'scheduler.admin.acted': AdminAction,
  'sms.admin.acted': AdminAction,
};

/** Publishes an admin action to the audit log, in the transaction of the action. */
export async function publishAdminAction<T extends EventTables>(
  trx: Transaction<T>,
  owner: 'billing' | 'content' | 'scheduler' | 'sms',
  by: ActingAdmin,
  adminAction: Pick<AdminAction, 'action' | 'target'> & { details?: AdminAction['details'] },
  now: Date,
): Promise<void> {
  const { admin_id, username, ip, request_id } = by;
  const action = { admin_id, username, ip, request_id, details: {}, ...adminAction };
  await publish(trx, adminEvents, `${owner}.admin.acted`, action, now);
}
