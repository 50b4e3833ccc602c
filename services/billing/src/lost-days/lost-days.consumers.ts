import type { LostDay as PublishedDay } from '@daylift/contracts/scheduler.events';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findSubscription } from '../subscriptions/subscriptions.repository.ts';
import { dayCents } from './day-value.ts';
import {
  countCreditedInMonth,
  findLostDaySettings,
  findPeriodAt,
  insertLostDay,
  type LostDay,
  type LostDaySettings,
  sumCredit,
} from './lost-days.repository.ts';

type Deps = Pick<BillingDeps, 'clock' | 'catalogue'>;
type Decision = Pick<LostDay, 'decision' | 'credit_cents' | 'period_end'>;

/** Decides once what each lost day is worth, and enqueues the credit at the provider. */
export const creditLostDays =
  (deps: Deps) =>
  async (trx: Trx, { days }: { days: PublishedDay[] }): Promise<void> => {
    const now = deps.clock.now();
    const settings = await findLostDaySettings(trx);
    const credited: string[] = [];
    // By user, so two consumers lock customers in the same order.
    for (const day of days.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1))) {
      const { user_id, local_date, outcome, reason } = day;
      const customer = await lockCustomer(trx, user_id);
      if (customer === undefined || customer.deleted_at !== null) continue;
      const decided = await decide(trx, day, settings, deps);
      const row = { user_id, local_date, outcome, reason, settled_at: now, ...decided };
      if ((await insertLostDay(trx, row)) && decided.decision === 'credited')
        credited.push(user_id);
    }
    await enqueueTask(trx, 'settle_lost_days', credited, now);
  };

async function decide(
  trx: Trx,
  { user_id, local_date, due_at, frequency }: PublishedDay,
  settings: LostDaySettings,
  { catalogue }: Pick<BillingDeps, 'catalogue'>,
): Promise<Decision> {
  const period = await findPeriodAt(trx, user_id, new Date(due_at));
  const period_end = period?.period_end ?? null;
  const none = (decision: LostDay['decision']) => ({ decision, credit_cents: 0, period_end });
  if (!settings.enabled) return none('off');
  if (period?.status === 'trial') return none('trial');
  if (period === undefined || period_end === null || period.last_status !== 'active')
    return none('unpaid');
  const subscription = await findSubscription(trx, user_id);
  const { plan } = period;
  const listed = catalogue.plans[plan].price_cents;
  const price_cents = (subscription?.plan === plan ? subscription.price_cents : null) ?? listed;
  const left = price_cents - (await sumCredit(trx, user_id, period_end));
  const days = await countCreditedInMonth(trx, user_id, local_date);
  if (left <= 0 || days >= settings.max_days_per_month) return none('over_limit');
  const worth = dayCents({ plan, price_cents, end: period_end }, frequency);
  return { decision: 'credited', credit_cents: Math.min(worth, left), period_end };
}
