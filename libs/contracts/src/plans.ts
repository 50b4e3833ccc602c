interface PlanTerms {
  name: string;
  interval: 'month' | 'year';
  /** Length of the period. */
  months: number;
}

/**
 * The plans. A new one also needs a price in each of billing's catalogues, and migrations that widen the checks on
 * columns called `plan`.
 */
export const planTerms = {
  monthly: { name: 'Monthly', interval: 'month', months: 1 },
  yearly: { name: 'Yearly', interval: 'year', months: 12 },
} as const satisfies Record<string, PlanTerms>;

export type PlanId = keyof typeof planTerms;
export const planIds = Object.keys(planTerms) as PlanId[];

const isPlanId = (text: unknown): text is PlanId => planIds.some((id) => id === text);

/** Returns the plan that a URL or stored text names, or the first one. */
export const planNamed = (text: unknown): PlanId => (isPlanId(text) ? text : 'monthly');
