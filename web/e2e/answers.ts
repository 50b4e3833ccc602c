import { dayMs } from '@daylift/clock/durations';
import type { PlanView, UserSubscription } from '@daylift/contracts/billing.http';
import type { HistoryItem, UserAnalytics } from '@daylift/contracts/sms.http';

export const aSubscription = (changes: Partial<UserSubscription> = {}): UserSubscription => ({
  status: 'trial',
  plan: 'monthly',
  trial_end_date: null,
  current_period_end: null,
  cancel_at_period_end: false,
  ...changes,
});

export const aPlan = (changes: Partial<PlanView> = {}): PlanView => ({
  status: 'active',
  plan: 'monthly',
  price_cents: 499,
  currency: 'usd',
  trial_end_date: null,
  current_period_end: '2027-05-08T15:20:00.000Z',
  cancel_at_period_end: false,
  next_charge: { at: '2027-05-08T15:20:00.000Z', amount_cents: 499 },
  credit_cents: 0,
  lost_days: null,
  card: { brand: 'visa', last4: '4242' },
  owed: null,
  actions: ['switch', 'cancel', 'portal'],
  ...changes,
});

export const someFigures = (): UserAnalytics => ({
  total_messages: 1234,
  week_messages: 5,
  month_messages: 20,
  daily_data: [],
  streak_days: 12,
  streak_unit: 'days',
});

/** Returns the daily text of so many days before 5 April 2027, sent at 23:30 in New York. */
export const aMessage = (daysAgo: number, changes: Partial<HistoryItem> = {}): HistoryItem => {
  const sent = new Date(Date.UTC(2027, 3, 6 - daysAgo, 3, 30));
  const local_date = new Date(sent.getTime() - dayMs).toISOString().slice(0, 10);
  return {
    id: `${local_date.replaceAll('-', '')}-${'0'.repeat(32)}`,
    kind: 'daily',
    message_content: `Text number ${daysAgo}`,
    sent_at: sent.toISOString(),
    local_date,
    status: 'delivered',
    ...changes,
  };
};
