import type { Frequency } from '@daylift/contracts/fields';
import type { PlanId } from '@daylift/contracts/plans';
import { findCatalogue } from '../customers/currency.ts';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findSubscription } from '../subscriptions/subscriptions.repository.ts';
import { dayCents, startOf } from './day-value.ts';
import {
  countCreditedInMonth,
  findLostDaySettings,
  findPayments,
  findPeriodAt,
  findUnpaidDays,
  type LostDay,
  type LostDaySettings,
  type PeriodAt,
  sumCredit,
  updateDecision,
} from './lost-days.repository.ts';

type Deps = Pick<BillingDeps, 'clock' | 'catalogues' | 'countryCurrencies'>;
type Decision = Pick<LostDay, 'decision' | 'credit_cents' | 'period_end'>;

interface DueDay {
  user_id: string;
  local_date: string;
  due_at: Date;
  frequency: Frequency;
}

export async function decideLostDay(
  trx: Trx,
  { user_id, local_date, due_at, frequency }: DueDay,
  settings: LostDaySettings,
  deps: Omit<Deps, 'clock'>,
): Promise<Decision> {
  const period = await findPeriodAt(trx, user_id, due_at);
  const period_end = period?.paid_end ?? null;
  const none = (decision: LostDay['decision']) => ({ decision, credit_cents: 0, period_end });
  if (!settings.enabled) return none('off');
  if (period?.status === 'trial') return none('trial');
  if (period === undefined || period_end === null) return none('unpaid');
  if (isFree(period, due_at)) return none('unpaid');
  const { plan, last_status } = period;
  const span = { start: period.period_start ?? startOf(plan, period_end), end: period_end };
  const payments = await findPayments(trx, user_id, span);
  const { is_paid, is_free, refunded_cents, discount_cents } = payments;
  const full = period.price_cents ?? (await findPrice(trx, deps, user_id, plan));
  const price_cents = Math.max(0, full - discount_cents);
  const retained = price_cents - refunded_cents;
  // An active plan was paid, even if its invoice isn't stored yet, unless it started with free time.
  const wasPaid = is_paid || (last_status === 'active' && !is_free);
  if (!wasPaid || retained <= 0) return none('unpaid');
  const left = retained - (await sumCredit(trx, user_id, period_end));
  const days = await countCreditedInMonth(trx, user_id, local_date);
  if (left <= 0 || days >= settings.max_days_per_month) return none('over_limit');
  const value = dayCents({ price_cents, ...span }, frequency);
  return { decision: 'credited', credit_cents: Math.min(value, left), period_end };
}

/** Returns the current price of a plan, for periods that were stored without theirs. */
async function findPrice(
  trx: Trx,
  deps: Omit<Deps, 'clock'>,
  userId: string,
  plan: PlanId,
): Promise<number> {
  const subscription = await findSubscription(trx, userId);
  const listed = (await findCatalogue(trx, deps, userId)).plans[plan].price_cents;
  return (subscription?.plan === plan ? subscription.price_cents : null) ?? listed;
}

/** Returns whether only free time given by staff covered the instant. */
function isFree({ status, paid_end, period_end, renews }: PeriodAt, at: Date): boolean {
  if (status === 'canceled' || status === 'expired') return true;
  if (paid_end === null || at < paid_end) return false;
  // Otherwise the renewal isn't stored yet.
  return !renews || paid_end.getTime() !== period_end?.getTime();
}

/** Decides a subscriber's unpaid days again after a payment, and enqueues their credit. */
export async function creditPaidDays(trx: Trx, deps: Deps, userId: string): Promise<void> {
  const customer = await lockCustomer(trx, userId);
  if (customer === undefined || customer.deleted_at !== null) return;
  const settings = await findLostDaySettings(trx);
  const now = deps.clock.now();
  for (const day of await findUnpaidDays(trx, userId)) {
    const decided = await decideLostDay(trx, day, settings, deps);
    if (decided.decision === 'unpaid') continue;
    await updateDecision(trx, day, { ...decided, settled_at: now });
    if (decided.decision === 'credited') await enqueueTask(trx, 'settle_lost_days', [userId], now);
  }
}
