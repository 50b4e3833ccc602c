interface PlanTerms {
  name: string;
  /** Length of the period. */
  months: number;
  /** Price in each catalogue. `PLAN_CATALOGUE` selects the catalogue, and `PLAN_PRICES` overrides single prices. */
  cents: { standard: number; terms: number };
}

/** Plans for sale. Each has its own number of months, because Stripe's prices are matched to plans by it. */
export const planTerms = {
  monthly: { name: 'Monthly', months: 1, cents: { standard: 499, terms: 199 } },
  yearly: { name: 'Yearly', months: 12, cents: { standard: 4999, terms: 1999 } },
} as const satisfies Record<string, PlanTerms>;

export type PlanId = keyof typeof planTerms;
export const planIds = Object.keys(planTerms) as PlanId[];
export const defaultPlan: PlanId = 'monthly';

/** Lengths of a gift in months. */
export const giftLengths = [1, 3, 6, 12] as const;
export type GiftLength = (typeof giftLengths)[number];

export const monthsInWords = (months: GiftLength): string =>
  months === 1 ? '1 month' : `${months} months`;

/** Returns a gift's price: that of the plan with this period, or of as many periods of the default plan. */
export function giftPriceCents(months: GiftLength, priceOf: (plan: PlanId) => number): number {
  const plan = planIds.find((id) => planTerms[id].months === months);
  if (plan !== undefined) return priceOf(plan);
  return (months / planTerms[defaultPlan].months) * priceOf(defaultPlan);
}

const isPlanId = (text: unknown): text is PlanId => planIds.some((id) => id === text);

/** Returns the plan that a URL or stored text names, or the default one. */
export const planNamed = (text: unknown): PlanId => (isPlanId(text) ? text : defaultPlan);

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
