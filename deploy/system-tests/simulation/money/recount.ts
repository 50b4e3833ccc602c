import type { MoneyStack } from './stack.ts';

interface Created {
  id: string;
  created: number;
}
interface Charge extends Created {
  amount: number;
  status: string;
  payment_intent: string;
}
interface Invoice extends Created {
  status: string;
  total: number;
  status_transitions: { paid_at: number | null };
  /** Null for gifts. */
  parent: { subscription_details: { subscription: string } } | null;
}
interface Subscription extends Created {
  ended_at: number | null;
  items: { data: Item[] };
  discounts: Discount[];
}
interface Item {
  current_period_end: number;
  price: { unit_amount: number; recurring: { interval: string } };
}
interface Discount {
  end: number | null;
  source: {
    coupon: { duration: string; percent_off: number | null; amount_off: number | null };
  };
}

const sumOf = (parts: { amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);

/** Recounts business figures from what the provider lists at the end of a period. */
export async function recount(
  stack: MoneyStack,
  from: Date,
  to: Date,
): Promise<Record<string, number | null>> {
  const [start, end] = [from.getTime() / 1000, to.getTime() / 1000];
  const within = ({ created }: { created: number }) => created >= start && created < end;
  const charges = await stack.list<Charge>('/v1/charges');
  const paid = charges.filter(({ status }) => status === 'succeeded');
  const refunds = await stack.list<Created & { amount: number }>('/v1/refunds');
  const disputes = await stack.list<Created & { balance_transactions: { amount: number }[] }>(
    '/v1/disputes',
  );
  const collected = sumOf(paid.filter(within));
  const refunded = sumOf(refunds.filter(within));
  const disputed = -disputes
    .filter(within)
    .reduce((sum, { balance_transactions }) => sum + sumOf(balance_transactions), 0);

  const firstAttempts = new Map<string, Charge>();
  for (const charge of charges)
    if (charge.created <= (firstAttempts.get(charge.payment_intent)?.created ?? charge.created))
      firstAttempts.set(charge.payment_intent, charge);
  const failed = [...firstAttempts.values()].filter(
    (charge) => charge.status === 'failed' && within(charge),
  );
  const recovered = failed.filter(({ payment_intent }) =>
    paid.some((charge) => charge.payment_intent === payment_intent),
  );

  const invoices = await stack.list<Invoice>('/v1/invoices');
  const firstPaid = new Map<string, number>();
  for (const { status, total, status_transitions, parent } of invoices) {
    const at = status_transitions.paid_at;
    if (parent === null) continue;
    const { subscription } = parent.subscription_details;
    if (status === 'paid' && total > 0 && at !== null)
      firstPaid.set(subscription, Math.min(at, firstPaid.get(subscription) ?? at));
  }
  const all = '/v1/subscriptions?status=all&expand[]=data.discounts.source.coupon';
  const bought = (await stack.list<Subscription>(all)).filter(
    ({ id }) => (firstPaid.get(id) ?? end) < end,
  );
  const paying = bought.filter(({ ended_at }) => ended_at === null || ended_at >= end);
  const churned = bought.filter(
    ({ ended_at }) => ended_at !== null && ended_at >= start && ended_at < end,
  );
  const mrrOf = (list: Subscription[]) => list.reduce((sum, one) => sum + monthlyPrice(one), 0);
  return {
    mrr_end: mrrOf(paying),
    mrr_churned: mrrOf(churned),
    paying: paying.length,
    collected,
    refunds: refunded,
    disputes: disputed,
    tax: 0,
    revenue: collected - refunded - disputed,
    failed_payments: failed.length,
    recovery:
      failed.length === 0 ? null : Math.round((recovered.length / failed.length) * 1_000) / 10,
  };
}

/** Returns the price of a month, less the discounts that the next payment also has. */
function monthlyPrice({ items, discounts }: Subscription): number {
  const { price, current_period_end } = items.data[0]!;
  const full = price.unit_amount;
  const lasting = discounts.filter(
    ({ end, source }) =>
      source.coupon.duration !== 'once' && (end === null || end > current_period_end),
  );
  const off = lasting.map(({ source: { coupon } }) =>
    coupon.percent_off === null
      ? (coupon.amount_off ?? 0)
      : Math.round((full * coupon.percent_off) / 100),
  );
  const left = full - off.reduce((sum, one) => sum + one, 0);
  return price.recurring.interval === 'year' ? Math.round(left / 12) : left;
}
