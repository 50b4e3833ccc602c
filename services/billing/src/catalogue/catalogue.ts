import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import { type PlanId, planIds, planTerms } from '@daylift/contracts/plans';
import { callingCodeOf } from '@daylift/server/calling-code';
import { smallestChargeCents } from '../subscriptions/settle-bill.ts';
import type { Product } from './product.ts';

export interface Plan {
  id: PlanId;
  name: string;
  price_cents: number;
  interval: 'month' | 'year';
  months: number;
}

export interface Catalogue {
  currency: 'usd';
  trial_days: number;
  referral_credit_cents: number;
  plans: Record<PlanId, Plan>;
}

type Cents = Record<PlanId, number>;

const catalogues: Record<'standard' | 'terms', { trial_days: number; cents: Cents }> = {
  standard: { trial_days: 3, cents: { monthly: 499, yearly: 4999 } },
  terms: { trial_days: 7, cents: { monthly: 199, yearly: 1999 } },
};

/** Returns a catalogue. `prices` are for new customers: a running subscription keeps the price it started with. */
export function catalogueOf(name: keyof typeof catalogues, prices: Partial<Cents> = {}): Catalogue {
  const { trial_days, cents } = catalogues[name];
  const price = { ...cents, ...prices };
  const plans = planIds.map((id): [PlanId, Plan] => [
    id,
    { id, ...planTerms[id], price_cents: price[id] },
  ]);
  return {
    currency: 'usd',
    trial_days,
    referral_credit_cents: 125,
    plans: Object.fromEntries(plans) as Catalogue['plans'],
  };
}

/** Reads prices in cents by plan, such as `monthly:599,yearly:5999`. */
export function parsePrices(list: string): Partial<Cents> {
  const prices: Partial<Cents> = {};
  for (const one of list.split(',').filter((part) => part !== '')) {
    const [, name, cents] = /^([a-z]+):(\d{2,7})$/.exec(one.trim()) ?? [];
    const id = planIds.find((known) => known === name);
    if (id === undefined || Number(cents) < smallestChargeCents || id in prices)
      throw new Error(
        `PLAN_PRICES must list prices in cents, at least ${smallestChargeCents} and one per plan, such as monthly:599,yearly:5999.`,
      );
    prices[id] = Number(cents);
  }
  return prices;
}

/** Returns the prices and the trial as every page prints them. */
export function publicCatalogue(
  { plans, ...rest }: Catalogue,
  product: Omit<Product, 'publicUrl'>,
  lostDaysPerMonth: number,
  addsTax = false,
): PublicCatalogue {
  return {
    product_name: product.name,
    support_email: product.supportEmail,
    company_name: product.companyName,
    terms_effective_date: product.termsEffectiveDate,
    refund_policy: product.refundPolicy,
    countries: product.countries.map((country) => ({
      country,
      calling_code: callingCodeOf(country),
    })),
    currency: rest.currency,
    ...(addsTax && { plus_tax: true }),
    trial_days: rest.trial_days,
    referral_credit_cents: rest.referral_credit_cents,
    lost_days_per_month: lostDaysPerMonth,
    plans: planIds.map((id) => {
      const { months, ...plan } = plans[id];
      const paidMonthly = plans.monthly.price_cents * months;
      const saving = Math.max(0, paidMonthly - plan.price_cents);
      return { ...plan, saving_percent: Math.round((100 * saving) / paidMonthly) };
    }),
  };
}
