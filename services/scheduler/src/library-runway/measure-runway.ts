import { registerGauges } from '@daylift/server/metrics';
import type { SchedulerDeps } from '../deps.ts';
import { findRunway } from './library-runway.repository.ts';

export function measureRunway({ db }: Pick<SchedulerDeps, 'db'>): void {
  registerGauges([
    {
      name: 'scheduler_library_runway_days',
      help: 'Days until a subscriber has had every library text of the category',
      labelNames: ['category'],
      read: async () =>
        ((await findRunway(db))?.categories ?? []).flatMap(({ category, days }) =>
          days === null ? [] : [{ labels: { category }, value: days }],
        ),
    },
  ]);
}
