import { dayMs, hourMs } from '@daylift/clock/durations';
import { registerGauges } from '@daylift/server/metrics';
import type { SchedulerDeps } from '../deps.ts';
import { findForecasts } from './forecasts.repository.ts';
import { startOfHour } from './hours.ts';

/** Reports what the last forecast expects for the next 24 hours. Our own numbers only, and few. */
export function measureForecast({ db, clock }: Pick<SchedulerDeps, 'db' | 'clock'>): void {
  registerGauges([
    {
      name: 'scheduler_forecast_late_texts',
      help: 'Texts of the next 24 hours that would be late or missed, by sender, without paused ones',
      labelNames: ['sender'],
      read: async () => {
        const { last } = await findForecasts(db);
        if (!last?.result) return [];
        const now = clock.now().getTime();
        const { hours, paused = [] } = last.result;
        const first = startOfHour(last.as_of);
        const texts = new Map<string, number>();
        for (const [index, { senders }] of hours.entries()) {
          const startsAt = first + index * hourMs;
          // The current hour includes the backlog, which is late for other reasons.
          if (startsAt <= now || startsAt >= now + dayMs) continue;
          for (const { number, late, missed } of senders) {
            const sender = number ?? 'none';
            if (!paused.includes(sender))
              texts.set(sender, (texts.get(sender) ?? 0) + late + missed);
          }
        }
        return [...texts].map(([sender, value]) => ({ labels: { sender }, value }));
      },
    },
  ]);
}
