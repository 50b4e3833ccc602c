import { hourMs, minuteMs } from '@daylift/clock/durations';
import { ErrorBody } from '@daylift/contracts/error';
import { SchedulerLive } from '@daylift/contracts/live.http';
import { DeliverySlots, SchedulerRun, SchedulerStatus } from '@daylift/contracts/scheduler.http';
import type { QueueFigures } from '@daylift/contracts/sms.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { Unavailable } from '@daylift/server/error';
import { requireAdmin, requireService } from '@daylift/server/identity';
import type { Static } from 'typebox';
import { countByHour } from '../delivery-slots/delivery-slots.repository.ts';
import type { SchedulerDeps } from '../deps.ts';
import { NoFields, takeNoBodyAsEmpty } from '../empty-body.ts';
import { countDueBefore } from '../load/due-hours.repository.ts';
import { runScheduler } from './runs.actions.ts';
import { lastAccess } from './runs.repository.ts';

const aliveMs = 2 * minuteMs;
const refusals = { 401: ErrorBody, 403: ErrorBody };

/** Running the scheduler is an operator's. */
export function runRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireAdmin('operator'));
  app.addHook('preValidation', takeNoBodyAsEmpty);
  app.post(
    '/admin/scheduler/run',
    {
      schema: {
        body: NoFields,
        response: { 200: SchedulerRun, 400: ErrorBody, 503: ErrorBody, ...refusals },
      },
    },
    (request) => runScheduler(deps, actingAdmin(request)),
  );
}

/** Looking at it is every admin's. */
export function statusRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/scheduler/status',
    { schema: { response: { 200: SchedulerStatus, 503: ErrorBody, ...refusals } } },
    () => readStatus(deps),
  );
  app.get(
    '/admin/scheduler/delivery-slots',
    { schema: { response: { 200: DeliverySlots, ...refusals } } },
    () => readDeliverySlots(deps),
  );
}

/** What the gateway shows to admins who look on. */
export function liveRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/live',
    { schema: { response: { 200: SchedulerLive, 503: ErrorBody, ...refusals } } },
    async () => ({ status: await readStatus(deps) }),
  );
}

async function readStatus({ db, clock, smsGateway }: SchedulerDeps): Promise<SchedulerStatus> {
  const now = clock.now();
  const hourEnds = new Date(Math.floor(now.getTime() / hourMs) * hourMs + hourMs);
  const [queue, users_due_for_messages, looked] = await Promise.all([
    smsGateway.get<Static<typeof QueueFigures>>('/internal/queue'),
    countDueBefore(db, hourEnds),
    lastAccess(db, 'release-dispatches'),
  ]);
  if (queue === null)
    throw new Unavailable('The SMS queue can’t be read right now. Please try again.');
  return {
    pending_jobs: queue.pending,
    processing_jobs: queue.processing,
    users_due_for_messages,
    scheduler_running: looked !== null && now.getTime() - looked.getTime() <= aliveMs,
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
