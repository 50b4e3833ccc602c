import type { FigureUnit } from '@daylift/contracts/business.http';
import type { Facts } from './business.repository.ts';

/** A figure's name, definition and computation, for the page and the monthly email. */
export interface Figure {
  id: string;
  group: string;
  name: string;
  unit: FigureUnit;
  definition: string;
  of: (facts: Facts) => number | null;
}

/** Returns a percentage with one decimal, or null if `whole` isn't positive. */
const percent = (part: number | null, whole: number): number | null =>
  part === null || whole <= 0 ? null : Math.round((part / whole) * 1_000) / 10;
const average = (total: number | null, count: number): number | null =>
  total === null || count === 0 ? null : Math.round(total / count);

const mrrEnd = (facts: Facts): number =>
  facts.mrr_start +
  facts.mrr_new +
  facts.mrr_expansion +
  facts.mrr_reactivated -
  facts.mrr_contraction -
  facts.mrr_churned;
const revenue = ({ collected, refunded, disputed }: Facts): number =>
  collected - refunded - disputed;
const profit = (facts: Facts): number | null =>
  facts.own_text_cost === null ? null : revenue(facts) - facts.own_text_cost;
const monthDays = 365 / 12;

/** Average revenue × margin × months until a subscriber leaves, at the churn of the period. */
function lifetimeValue(facts: Facts): number | null {
  const { lost, paying_start, paying_end, days } = facts;
  const earned = profit(facts);
  if (earned === null) return null;
  if (lost === 0 || paying_start === 0 || paying_end === 0 || revenue(facts) <= 0) return null;
  const monthlyChurn = (lost / paying_start) * (monthDays / days);
  return Math.round(((mrrEnd(facts) / paying_end) * (earned / revenue(facts))) / monthlyChurn);
}

const recurring = 'Monthly recurring revenue';
const subscribers = 'Subscribers';
const cash = 'Revenue and costs';

export const figures: Figure[] = [
  {
    id: 'mrr_start',
    group: recurring,
    name: 'MRR at start',
    unit: 'cents',
    definition:
      'Monthly recurring revenue when the first day began: the prices of all paying subscribers, with 1/12 of a yearly price, rounded to the cent per subscriber. Trials and free access don’t count. Credit doesn’t reduce it; a discount does while it also covers the next payment.',
    of: (facts) => facts.mrr_start,
  },
  {
    id: 'mrr_new',
    group: recurring,
    name: 'New MRR',
    unit: 'cents',
    definition: 'MRR from subscribers who paid for the first time in the range.',
    of: (facts) => facts.mrr_new,
  },
  {
    id: 'mrr_expansion',
    group: recurring,
    name: 'Expansion MRR',
    unit: 'cents',
    definition:
      'MRR added by paying subscribers who changed to a plan that costs more per month, whose discount ended, or who renewed at a higher price.',
    of: (facts) => facts.mrr_expansion,
  },
  {
    id: 'mrr_contraction',
    group: recurring,
    name: 'Contraction MRR',
    unit: 'cents',
    definition:
      'MRR lost from paying subscribers who changed to a plan that costs less per month, such as from monthly to yearly, or who renewed at a lower price.',
    of: (facts) => facts.mrr_contraction,
  },
  {
    id: 'mrr_churned',
    group: recurring,
    name: 'Churned MRR',
    unit: 'cents',
    definition:
      'MRR of subscriptions that ended in the range. A canceled subscription counts when its paid period ends, and one with a failed payment when retries end.',
    of: (facts) => facts.mrr_churned,
  },
  {
    id: 'mrr_reactivated',
    group: recurring,
    name: 'Reactivated MRR',
    unit: 'cents',
    definition: 'MRR of former subscribers who paid again in the range.',
    of: (facts) => facts.mrr_reactivated,
  },
  {
    id: 'mrr_end',
    group: recurring,
    name: 'MRR at end',
    unit: 'cents',
    definition:
      'MRR at start + new + expansion + reactivated − contraction − churned. If the range includes today, as of now.',
    of: mrrEnd,
  },
  {
    id: 'revenue_churn',
    group: recurring,
    name: 'Revenue churn',
    unit: 'percent',
    definition: '(Churned MRR + contraction MRR) ÷ MRR at start, for the whole range.',
    of: (facts) => percent(facts.mrr_churned + facts.mrr_contraction, facts.mrr_start),
  },
  {
    id: 'paying',
    group: subscribers,
    name: 'Paying subscribers',
    unit: 'count',
    definition:
      'Subscribers at the end of the range with a subscription that has been paid for at least once, by card or credit, and hasn’t ended. A failed payment doesn’t end it.',
    of: (facts) => facts.paying_end,
  },
  {
    id: 'logo_churn',
    group: subscribers,
    name: 'Subscriber churn',
    unit: 'percent',
    definition:
      'Of the subscribers who were paying when the range began, the share that was no longer paying when it ended.',
    of: (facts) => percent(facts.lost, facts.paying_start),
  },
  {
    id: 'trials_ended',
    group: subscribers,
    name: 'Trials ended',
    unit: 'count',
    definition: 'Trials that ended in the range: by a first charge, an upgrade or a cancellation.',
    of: (facts) => facts.trials_ended,
  },
  {
    id: 'trial_conversion',
    group: subscribers,
    name: 'Trial conversion',
    unit: 'percent',
    definition:
      'Of the trials that ended in the range, the share whose subscriber has made a payment since, even after the range.',
    of: (facts) => percent(facts.trials_converted, facts.trials_ended),
  },
  {
    id: 'arpu',
    group: subscribers,
    name: 'ARPU',
    unit: 'cents',
    definition: 'Average monthly revenue per paying subscriber: MRR at end ÷ paying subscribers.',
    of: (facts) => average(mrrEnd(facts), facts.paying_end),
  },
  {
    id: 'ltv',
    group: subscribers,
    name: 'LTV',
    unit: 'cents',
    definition:
      'Lifetime value: MRR at end ÷ paying subscribers × gross margin ÷ subscriber churn scaled to a month (365/12 days). Empty if no one left, there was no revenue, or subscribers pay in several currencies.',
    of: lifetimeValue,
  },
  {
    id: 'collected',
    group: cash,
    name: 'Payments',
    unit: 'cents',
    definition:
      'Money charged in the range, without tax. A yearly payment counts in full on its day. Credit is already deducted.',
    of: (facts) => facts.collected,
  },
  {
    id: 'refunds',
    group: cash,
    name: 'Refunds',
    unit: 'cents',
    definition:
      'Refunds made in the range, without tax, no matter when the payment was. Failed refunds don’t count.',
    of: (facts) => facts.refunded,
  },
  {
    id: 'disputes',
    group: cash,
    name: 'Disputes',
    unit: 'cents',
    definition:
      'Money withdrawn for disputes opened in the range, without tax and fees. Won disputes don’t count.',
    of: (facts) => facts.disputed,
  },
  {
    id: 'revenue',
    group: cash,
    name: 'Revenue',
    unit: 'cents',
    definition: 'Payments − refunds − disputes.',
    of: revenue,
  },
  {
    id: 'tax',
    group: cash,
    name: 'Tax',
    unit: 'cents',
    definition:
      'The tax in payments, minus the tax in refunds and disputes. It isn’t revenue. 0 unless Stripe Tax is on.',
    of: (facts) => facts.tax,
  },
  {
    id: 'text_cost',
    group: cash,
    name: 'Text cost',
    unit: 'cents',
    definition:
      'What the SMS provider charged for texts with a date in the range: daily texts, announcements, codes, replies and tests. Updated hourly from the provider’s receipts, which can take days to arrive. Covers all subscribers and is always in US dollars, so it’s shown only when the currency is USD.',
    of: (facts) => facts.text_cost,
  },
  {
    id: 'text_cost_per_paying',
    group: cash,
    name: 'Text cost per subscriber',
    unit: 'cents',
    definition:
      'Text cost ÷ paying subscribers at the end of the range. Includes texts to trial subscribers. Empty if subscribers pay in several currencies.',
    of: (facts) => average(facts.own_text_cost, facts.paying_end),
  },
  {
    id: 'gross_margin',
    group: cash,
    name: 'Gross margin',
    unit: 'percent',
    definition:
      '(Revenue − text cost) ÷ revenue. The payment provider’s fees aren’t deducted. Empty if subscribers pay in several currencies.',
    of: (facts) => percent(profit(facts), revenue(facts)),
  },
  {
    id: 'failed_payments',
    group: cash,
    name: 'Failed payments',
    unit: 'count',
    definition: 'Invoices whose first charge failed in the range.',
    of: (facts) => facts.failed,
  },
  {
    id: 'recovery',
    group: cash,
    name: 'Recovered payments',
    unit: 'percent',
    definition:
      'Of the invoices whose first charge failed in the range, the share that has been paid since, even after it.',
    of: (facts) => percent(facts.recovered, facts.failed),
  },
];
