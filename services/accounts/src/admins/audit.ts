import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';

/** From which request an entry comes. */
export interface AuditContext {
  ip: string;
  request_id: string;
}

/** Of an entry that tells what an admin did who is signed in. */
export const byAdmin = ({ admin_id, username, ip, request_id }: ActingAdmin) => ({
  actor: { admin_id, username },
  ip,
  request_id,
});

interface AuditEntry extends AuditContext {
  /** Null where nobody was recognised. */
  actor: { admin_id: string; username: string } | null;
  /** Noun and past verb, such as `user.paused`. */
  action: string;
  /** Id of what was acted on. */
  target: string | null;
  details?: Record<string, unknown>;
}

/**
 * Writes down who did what, beside the deed and in its transaction. The table takes no update and no delete. The last
 * statement of its transaction: until that ends, the next entry waits, as each carries a hash of the one before it.
 */
export async function recordAudit(
  trx: Transaction<AccountsDatabase>,
  now: Date,
  entry: AuditEntry,
): Promise<void> {
  await trx
    .insertInto('audit.audit_log')
    .values({
      at: now,
      actor_id: entry.actor?.admin_id ?? null,
      actor_username: entry.actor?.username ?? null,
      action: entry.action,
      target: entry.target,
      details: entry.details === undefined ? null : JSON.stringify(entry.details),
      ip: entry.ip,
      request_id: entry.request_id,
    })
    .execute();
}
