import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { SmsDeps } from '../deps.ts';

/** Wall-clock time: turning pages counts as one access. */
const apartMs = 60_000;

/**
 * Records in the audit log that an admin reads many subscribers' texts, at most once a minute per admin and process.
 */
export function createAccessRecorder({ db, clock }: Pick<SmsDeps, 'db' | 'clock'>) {
  const recordedAt = new Map<string, number>();
  return async (by: ActingAdmin): Promise<void> => {
    const wall = performance.now();
    const last = recordedAt.get(by.admin_id);
    if (last !== undefined && wall - last < apartMs) return;
    recordedAt.set(by.admin_id, wall);
    const adminAction = { action: 'texts.listed', target: null };
    await db
      .transaction()
      .execute((trx) => publishAdminAction(trx, 'sms', by, adminAction, clock.now()))
      .catch((error: unknown) => {
        recordedAt.delete(by.admin_id);
        throw error;
      });
  };
}
