import type { AdminAction } from '@daylift/contracts/admin-action';
import { contentEvents } from '@daylift/contracts/content.events';
import type { EventEnvelope } from '@daylift/contracts/event';
import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { subscription } from '@daylift/events/consume';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import { recordAudit } from './audit.ts';

/** Records admin actions of the other services in the audit log, once each. */
export async function recordAction(
  trx: Transaction<AccountsDatabase>,
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

export const contentSubscription = () =>
  subscription<AccountsDatabase, typeof contentEvents>('content', contentEvents, {
    'content.admin.acted': recordAction,
  });

export const schedulerSubscription = () =>
  subscription<AccountsDatabase, typeof schedulerEvents>('scheduler', schedulerEvents, {
    'scheduler.admin.acted': recordAction,
  });
