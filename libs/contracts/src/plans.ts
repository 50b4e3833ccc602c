/** Currencies that every plan has a price in. All have two decimals: zero-decimal currencies such as yen aren't supported. */
export const currencies = ['usd', 'gbp', 'eur'] as const;
export type Currency = (typeof currencies)[number];
/** Used for visitors and for countries not listed in `COUNTRY_CURRENCIES`. */
export const defaultCurrency: Currency = 'usd';

type Cents = Record<Currency, number>;

interface PlanTerms {
  name: string;
  /** Length of the period. */
  months: number;
  /** Prices in each catalogue. `PLAN_CATALOGUE` selects the catalogue, and `PLAN_PRICES` overrides single prices. */
  cents: { standard: Cents; terms: Cents };
}

/** Plans for sale. Each has its own number of months, because Stripe's prices are matched to plans by it. */
export const planTerms = {
  monthly: {
    name: 'Monthly',
    months: 1,
    cents: {
      standard: { usd: 499, gbp: 449, eur: 499 },
      terms: { usd: 199, gbp: 179, eur: 199 },
    },
  },
  yearly: {
    name: 'Yearly',
    months: 12,
    cents: {
      standard: { usd: 4999, gbp: 4499, eur: 4999 },
      terms: { usd: 1999, gbp: 1799, eur: 1999 },
    },
  },
} as const satisfies Record<string, PlanTerms>;

export type PlanId = keyof typeof planTerms;
export const planIds = Object.keys(planTerms) as PlanId[];
export const defaultPlan: PlanId = 'monthly';

export const isCurrency = (text: unknown): text is Currency =>
  currencies.some((known) => known === text);

/** Lengths of a gift in months. */
export const giftLengths = [1, 3, 6, 12] as const;
export type GiftLength = (typeof giftLengths)[number];

export const monthsInWords = (months: GiftLength): string =>
  months === 1 ? '1 month' : `${months} months`;

/** Returns a gift's price: the price of the plan with this period, or a multiple of the default plan's. */
export function giftPriceCents(months: GiftLength, priceOf: (plan: PlanId) => number): number {
  const plan = planIds.find((id) => planTerms[id].months === months);
  if (plan !== undefined) return priceOf(plan);
  return (months / planTerms[defaultPlan].months) * priceOf(defaultPlan);
}

const isPlanId = (text: unknown): text is PlanId => planIds.some((id) => id === text);

/** Returns the plan named in a URL or stored text, or `otherwise`. */
export const planNamed = (text: unknown, fallback: PlanId = defaultPlan): PlanId =>
  isPlanId(text) ? text : fallback;

/** Formats periods of a plan: `month`, `2 years`, `3 months`. */
export function periodsOf(plan: PlanId, count = 1): string {
  const { months } = planTerms[plan];
  const [length, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month'];
  return length * count === 1 ? unit : `${length * count} ${unit}s`;
}

/** Formats a plan's frequency: `a month`, `every 3 months`. */
export function perPeriod(plan: PlanId): string {
  const period = periodsOf(plan);
  return /^\d/.test(period) ? `every ${period}` : `a ${period}`;
}
