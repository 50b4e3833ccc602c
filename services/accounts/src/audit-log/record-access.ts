import { lockKey } from '@daylift/database/advisory-locks';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { AccountsDeps } from '../deps.ts';
import { byAdmin, recordAudit } from './audit.ts';
import { hasActed } from './audit-log.repository.ts';

const apartMs = 60_000;

/** Records that an admin reads many subscribers' data, at most once a minute, so further pages count as one access. */
export async function recordAccess(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  by: ActingAdmin,
  action: 'users.listed',
): Promise<void> {
  const now = clock.now();
  const after = new Date(now.getTime() - apartMs);
  if (await hasActed(db, by.username, action, after)) return;
  await db.transaction().execute(async (trx) => {
    await lockKey(trx, `access:${by.username}`);
    if (await hasActed(trx, by.username, action, after)) return;
    await recordAudit(trx, now, { ...byAdmin(by), action, target: null });
  });
}
