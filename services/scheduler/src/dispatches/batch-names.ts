import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { Batch } from './dispatches.table.ts';

const stamp = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** "6 Mar 2027 14:00 UTC" */
export function stampOf(instant: Date): string {
  return `${stamp.format(instant).replace(',', '')} UTC`;
}

/** Groups the texts of one delivery hour. */
export function dailyBatch(dueAt: Date, now: Date): Batch {
  const hour = new Date(Math.floor(dueAt.getTime() / hourMs) * hourMs);
  return {
    id: randomUUID(),
    key: `daily/${hour.toISOString()}`,
    kind: 'scheduled',
    name: `Daily texts, ${stampOf(hour)}`,
    created_at: now,
  };
}

/** Groups the texts of one announcement that fall due in one hour. */
export function announcementBatch(
  message: { id: string; title: string },
  dueAt: Date,
  now: Date,
): Batch {
  const hour = new Date(Math.floor(dueAt.getTime() / hourMs) * hourMs);
  return {
    id: randomUUID(),
    key: `announcement/${message.id}/${hour.toISOString()}`,
    kind: 'scheduled',
    name: `Announcement "${message.title}", ${stampOf(hour)}`,
    created_at: now,
  };
}

/** Groups what one operator-requested run made due. */
export function runBatch(runId: string, now: Date): Batch {
  return {
    id: randomUUID(),
    key: `run/${runId}`,
    kind: 'manual_run',
    name: `Scheduler run, ${stampOf(now)}`,
    created_at: now,
  };
}

/** Groups one manual send, including texts held until morning. */
export function manualSendBatch(
  batchId: string,
  message: { id: string; title: string },
  requestedAt: Date,
): Batch {
  return {
    id: batchId,
    key: `staff_send/${message.id}`,
    kind: 'staff_send',
    name: `Send now "${message.title}", ${stampOf(requestedAt)}`,
    created_at: requestedAt,
  };
}
