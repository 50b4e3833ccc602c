import { hourMs, minuteMs } from '@daylift/clock/durations';
import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { DeliverySlots, SchedulerStatus } from '@daylift/contracts/scheduler.http';
import type { QueueFigures } from '@daylift/contracts/sms.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { Unavailable } from '@daylift/server/error';
import { implement } from '@daylift/server/implement';
import type { Static } from 'typebox';
import { countByHour } from '../delivery-slots/delivery-slots.repository.ts';
import type { SchedulerDeps } from '../deps.ts';
import { findHeartbeat } from '../dispatches/heartbeats.repository.ts';
import { countDueBefore } from '../load/due-hours.repository.ts';
import { runScheduler } from './runs.actions.ts';

const aliveMs = 2 * minuteMs;

export function runRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /admin/scheduler/status': () => readStatus(deps),
    'GET /admin/scheduler/delivery-slots': () => readDeliverySlots(deps),
    'GET /internal/live': async () => ({ status: await readStatus(deps) }),
    'POST /admin/scheduler/run': (request) => runScheduler(deps, actingAdmin(request)),
  });
}

async function readStatus({ db, clock, smsGateway }: SchedulerDeps): Promise<SchedulerStatus> {
  const now = clock.now();
  const hourEnds = new Date(Math.floor(now.getTime() / hourMs) * hourMs + hourMs);
  const [queue, users_due_for_messages, lastRunAt] = await Promise.all([
    smsGateway.get<Static<typeof QueueFigures>>('/internal/queue'),
    countDueBefore(db, hourEnds),
    findHeartbeat(db, 'release-dispatches'),
  ]);
  if (queue === null)
    throw new Unavailable('The SMS queue is unavailable right now. Please try again.');
  return {
    pending_jobs: queue.pending,
    processing_jobs: queue.processing,
    users_due_for_messages,
    scheduler_running: lastRunAt !== null && now.getTime() - lastRunAt.getTime() <= aliveMs,
  };
}

async function readDeliverySlots({ db }: SchedulerDeps): Promise<DeliverySlots> {
  const hours = await countByHour(db);
  const slots: Record<string, number> = {};
  for (let hour = 0; hour < 24; hour += 1) {
    slots[String(hour).padStart(2, '0')] =
      hours.find((one) => one.delivery_hour === hour)?.subscribers ?? 0;
  }
  return { slots, total_users: hours.reduce((sum, one) => sum + one.subscribers, 0) };
}
