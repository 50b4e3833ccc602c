import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { foldDueHours } from './due-hours.repository.ts';

export const dueHoursLoop = ({ db }: Pick<SchedulerDeps, 'db'>): Loop => ({
  name: 'fold-due-hours',
  everyMs: 1_000,
  run: () => foldDueHours(db),
});
