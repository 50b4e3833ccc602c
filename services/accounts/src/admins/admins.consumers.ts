import type { AdminAction } from '@daylift/contracts/admin-action';
import type { EventEnvelope } from '@daylift/contracts/event';
import { recordAudit } from '../audit-log/audit.ts';
import type { Trx } from '../database.ts';

export async function recordAction(
  trx: Trx,
  { admin_id, username, action, target, details, ip, request_id }: AdminAction,
  event: EventEnvelope,
): Promise<void> {
  await recordAudit(trx, new Date(event.occurred_at), {
    actor: { admin_id, username },
    action,
    target,
    details,
    ip,
    request_id,
  });
}
