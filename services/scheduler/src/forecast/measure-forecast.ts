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
      help: 'Texts of the next 24 hours that would be late or missed, by sender',
      labelNames: ['sender'],
      read: async () => {
        const { last } = await findForecasts(db);
        if (!last?.result) return [];
        const now = clock.now().getTime();
        const first = startOfHour(last.as_of);
        const texts = new Map<string, number>();
        for (const [index, { senders }] of last.result.hours.entries()) {
          const startsAt = first + index * hourMs;
          if (startsAt + hourMs <= now || startsAt >= now + dayMs) continue;
          for (const { number, late, missed } of senders)
            texts.set(number ?? 'none', (texts.get(number ?? 'none') ?? 0) + late + missed);
        }
        return [...texts].map(([sender, value]) => ({ labels: { sender }, value }));
      },
    },
  ]);
}
