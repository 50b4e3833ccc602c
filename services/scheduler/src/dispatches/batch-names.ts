import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import { formatInstant } from '@daylift/clock/format-instant';
import type { NewBatch } from './dispatches.table.ts';

export interface BatchCreation {
  now: Date;
  operatorTimezone: string;
}

/** Groups the texts of one delivery hour. */
export function dailyBatch(dueAt: Date, { now, operatorTimezone }: BatchCreation): NewBatch {
  const hour = new Date(Math.floor(dueAt.getTime() / hourMs) * hourMs);
  return {
    id: randomUUID(),
    key: `daily/${hour.toISOString()}`,
    kind: 'scheduled',
    name: `Daily texts, ${formatInstant(hour, operatorTimezone)}`,
    created_at: now,
  };
}

/** Groups the texts of one announcement that fall due in one hour. */
export function announcementBatch(
  message: { id: string; title: string },
  dueAt: Date,
  { now, operatorTimezone }: BatchCreation,
): NewBatch {
  const hour = new Date(Math.floor(dueAt.getTime() / hourMs) * hourMs);
  return {
    id: randomUUID(),
    key: `announcement/${message.id}/${hour.toISOString()}`,
    kind: 'scheduled',
    name: `Announcement "${message.title}", ${formatInstant(hour, operatorTimezone)}`,
    created_at: now,
  };
}

/** Groups what one operator-requested run made due. */
export function runBatch(runId: string, { now, operatorTimezone }: BatchCreation): NewBatch {
  return {
    id: randomUUID(),
    key: `run/${runId}`,
    kind: 'manual_run',
    name: `Scheduler run, ${formatInstant(now, operatorTimezone)}`,
    created_at: now,
  };
}

/** Groups one manual send, including texts held until morning. */
export function manualSendBatch(
  batchId: string,
  message: { id: string; title: string },
  { now, operatorTimezone }: BatchCreation,
): NewBatch {
  return {
    id: batchId,
    key: `staff_send/${message.id}`,
    kind: 'staff_send',
    name: `Send now "${message.title}", ${formatInstant(now, operatorTimezone)}`,
    created_at: now,
  };
}
