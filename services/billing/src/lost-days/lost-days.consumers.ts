import type { LostDay as PublishedDay } from '@daylift/contracts/scheduler.events';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { decideLostDay } from './decide-lost-day.ts';
import { findLostDaySettings, insertLostDay } from './lost-days.repository.ts';

type Deps = Pick<BillingDeps, 'clock' | 'catalogues' | 'countryCurrencies'>;

/** Decides what each lost day is worth, and enqueues the credit at the provider. */
export const creditLostDays =
  (deps: Deps) =>
  async (trx: Trx, { days }: { days: PublishedDay[] }): Promise<void> => {
    const now = deps.clock.now();
    const settings = await findLostDaySettings(trx);
    const credited: string[] = [];
    // By user, so two consumers lock customers in the same order.
    for (const day of days.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1))) {
      const { user_id, local_date, frequency, outcome, reason } = day;
      const customer = await lockCustomer(trx, user_id);
      if (customer === undefined || customer.deleted_at !== null) continue;
      const due = { user_id, local_date, due_at: new Date(day.due_at), frequency };
      const decided = await decideLostDay(trx, due, settings, deps);
      const row = { ...due, outcome, reason, settled_at: now, ...decided };
      if ((await insertLostDay(trx, row)) && decided.decision === 'credited')
        credited.push(user_id);
    }
    await enqueueTask(trx, 'settle_lost_days', credited, now);
  };
