import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Trx } from '../database.ts';
import { insertEntry } from './audit-log.repository.ts';

export interface AuditContext {
  ip: string;
  request_id: string;
}

export const byAdmin = ({ admin_id, username, ip, request_id }: ActingAdmin) => ({
  actor: { admin_id, username },
  ip,
  request_id,
});

interface AuditEntry extends AuditContext {
  actor: { admin_id: string; username: string } | null;
  /** Noun and past verb, such as `user.paused`. */
  action: string;
  target: string | null;
  details?: Record<string, unknown>;
}

/**
 * Records an admin action in its transaction. The table accepts no update or delete. Must be the transaction's last
 * statement: entries are hash-chained, so the next one waits until it ends.
 */
export async function recordAudit(trx: Trx, now: Date, entry: AuditEntry): Promise<void> {
  await insertEntry(trx, {
    at: now,
    actor_id: entry.actor?.admin_id ?? null,
    actor_username: entry.actor?.username ?? null,
    action: entry.action,
    target: entry.target,
    details: entry.details === undefined ? null : JSON.stringify(entry.details),
    ip: entry.ip,
    request_id: entry.request_id,
  });
}
