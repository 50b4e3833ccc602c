import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import { registerGauges } from '@daylift/server/metrics';
import type { SchedulerDeps } from '../deps.ts';
import { findForecasts, requestForecast } from './forecasts.repository.ts';
import type { StoredForecast } from './forecasts.table.ts';
import { startOfHour } from './tally.ts';

/** Of the 48 hours, at least 42 are always ahead, so a full hour is reported more than a day before. */
const refreshedMs = 6 * hourMs;

/** Requests a forecast when no one looks at one, and spreads later texts by the last one. */
export const refreshForecastLoop = ({ db, clock, learnSpread }: SchedulerDeps): Loop => ({
  name: 'refresh-forecast',
  everyMs: 60_000,
  run: async () => {
    const now = clock.now();
    const { last, running } = await findForecasts(db);
    if (last !== undefined) learnSpread(drainsOf(last));
    const isOld = last === undefined || now.getTime() - last.as_of.getTime() > refreshedMs;
    if (isOld && running === undefined)
      await requestForecast(db, { id: randomUUID(), as_of: now, started_at: new Date() });
    return 0;
  },
});

const drainsOf = ({ as_of, result }: StoredForecast) =>
  (result?.drains ?? []).map((senders, index) => ({
    starts_at: new Date(startOfHour(as_of) + index * hourMs),
    drain_seconds: Math.max(0, ...senders.map((one) => one.drain_seconds)),
  }));

/** Reports the last forecast by sender. */
export function measureForecast({ db }: Pick<SchedulerDeps, 'db'>): void {
  const readEach =
    (value: (one: { drain_seconds: number; late: number }[]) => number) => async () => {
      const { last } = await findForecasts(db);
      const bySender = Map.groupBy((last?.result?.drains ?? []).flat(), (one) => one.number);
      return [...bySender].map(([sender, hours]) => ({ labels: { sender }, value: value(hours) }));
    };
  registerGauges([
    {
      name: 'sms_forecast_late_texts',
      help: 'Texts of the next 48 hours that their sender would send too late',
      labelNames: ['sender'],
      read: readEach((hours) => hours.reduce((sum, one) => sum + one.late, 0)),
    },
    {
      name: 'sms_forecast_drain_seconds',
      help: 'Time that a sender needs for the fullest of the next 48 hours',
      labelNames: ['sender'],
      read: readEach((hours) => Math.max(...hours.map((one) => one.drain_seconds))),
    },
  ]);
}
