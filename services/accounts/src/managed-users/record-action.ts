import type { ActingAdmin } from '@daylift/server/acting-admin';
import { recordAudit } from '../audit-log/audit.ts';
import type { Trx } from '../database.ts';

export function recordAdminAction(
  trx: Trx,
  { admin_id, username, ip, request_id }: ActingAdmin,
  adminAction: { action: string; target: string; details?: Record<string, unknown> },
  now: Date,
): Promise<void> {
  return recordAudit(trx, now, { actor: { admin_id, username }, ip, request_id, ...adminAction });
}
