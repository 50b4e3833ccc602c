import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { foldDeliverySlots } from './delivery-slots.repository.ts';

export const deliverySlotsLoop = ({ db }: Pick<SchedulerDeps, 'db'>): Loop => ({
  name: 'fold-delivery-slots',
  everyMs: 1_000,
  run: () => foldDeliverySlots(db),
});
