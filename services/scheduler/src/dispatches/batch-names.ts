import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { Batch } from './dispatches.table.ts';

/** "Mar 6, 2027, 9:00 AM EST" */
const stampOf = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(instant);

export interface BatchCreation {
  now: Date;
  operatorTimezone: string;
}

/** Groups the texts of one delivery hour. */
export function dailyBatch(dueAt: Date, { now, operatorTimezone }: BatchCreation): Batch {
  const hour = new Date(Math.floor(dueAt.getTime() / hourMs) * hourMs);
  return {
    id: randomUUID(),
    key: `daily/${hour.toISOString()}`,
    kind: 'scheduled',
    name: `Daily texts, ${stampOf(hour, operatorTimezone)}`,
    created_at: now,
  };
}

/** Groups the texts of one announcement that fall due in one hour. */
export function announcementBatch(
  message: { id: string; title: string },
  dueAt: Date,
  { now, operatorTimezone }: BatchCreation,
): Batch {
  const hour = new Date(Math.floor(dueAt.getTime() / hourMs) * hourMs);
  return {
    id: randomUUID(),
    key: `announcement/${message.id}/${hour.toISOString()}`,
    kind: 'scheduled',
    name: `Announcement "${message.title}", ${stampOf(hour, operatorTimezone)}`,
    created_at: now,
  };
}

/** Groups what one operator-requested run made due. */
export function runBatch(runId: string, { now, operatorTimezone }: BatchCreation): Batch {
  return {
    id: randomUUID(),
    key: `run/${runId}`,
    kind: 'manual_run',
    name: `Scheduler run, ${stampOf(now, operatorTimezone)}`,
    created_at: now,
  };
}

/** Groups one manual send, including texts held until morning. */
export function manualSendBatch(
  batchId: string,
  message: { id: string; title: string },
  { now, operatorTimezone }: BatchCreation,
): Batch {
  return {
    id: batchId,
    key: `staff_send/${message.id}`,
    kind: 'staff_send',
    name: `Send now "${message.title}", ${stampOf(now, operatorTimezone)}`,
    created_at: now,
  };
}
