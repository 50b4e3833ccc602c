import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import { defaultPlan, type PlanId, periodsOf, planIds, planTerms } from '@daylift/contracts/plans';
import { callingCodeOf } from '@daylift/server/calling-code';
import { smallestChargeCents } from '../subscriptions/settle-bill.ts';
import type { Product } from './product.ts';

export interface Plan {
  id: PlanId;
  name: string;
  price_cents: number;
  months: number;
}

export interface Catalogue {
  currency: 'usd';
  trial_days: number;
  referral_credit_cents: number;
  plans: Record<PlanId, Plan>;
}

type Cents = Record<PlanId, number>;

const trialDays = { standard: 3, terms: 7 };

/** Returns a catalogue. `prices` are for new customers: a running subscription keeps the price it started with. */
export function catalogueOf(name: keyof typeof trialDays, prices: Partial<Cents> = {}): Catalogue {
  const plans = planIds.map((id): [PlanId, Plan] => {
    const { cents, ...terms } = planTerms[id];
    return [id, { id, ...terms, price_cents: prices[id] ?? cents[name] }];
  });
  return {
    currency: 'usd',
    trial_days: trialDays[name],
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
      const paidMonthly = plans[defaultPlan].price_cents * months;
      const saving = Math.max(0, paidMonthly - plan.price_cents);
      return {
        ...plan,
        interval: periodsOf(id),
        saving_percent: Math.round((100 * saving) / paidMonthly),
      };
    }),
  };
}
