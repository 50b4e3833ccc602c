import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/fields';
import { callingCodeOf } from '@daylift/server/calling-code';
import type { Product } from './product.ts';

export type CatalogueName = 'standard' | 'terms';

export interface Plan {
  id: PlanId;
  name: string;
  price_cents: number;
  interval: 'month' | 'year';
}

export interface Catalogue {
  currency: 'usd';
  trial_days: number;
  referral_credit_cents: number;
  plans: Record<PlanId, Plan>;
}

const catalogue = (monthlyCents: number, yearlyCents: number, trialDays: number): Catalogue => ({
  currency: 'usd',
  trial_days: trialDays,
  referral_credit_cents: 125,
  plans: {
    monthly: { id: 'monthly', name: 'Monthly', price_cents: monthlyCents, interval: 'month' },
    yearly: { id: 'yearly', name: 'Yearly', price_cents: yearlyCents, interval: 'year' },
  },
});

export const catalogues: Record<CatalogueName, Catalogue> = {
  standard: catalogue(499, 4999, 3),
  terms: catalogue(199, 1999, 7),
};

/** Returns the prices and the trial as every page prints them. */
export function publicCatalogue(
  { plans, ...rest }: Catalogue,
  product: Omit<Product, 'publicUrl'>,
  lostDaysPerMonth: number,
): PublicCatalogue {
  const twelveMonths = plans.monthly.price_cents * 12;
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
    trial_days: rest.trial_days,
    referral_credit_cents: rest.referral_credit_cents,
    lost_days_per_month: lostDaysPerMonth,
    plans: [
      { ...plans.monthly, saving_percent: 0 },
      {
        ...plans.yearly,
        saving_percent: Math.round(
          (100 * (twelveMonths - plans.yearly.price_cents)) / twelveMonths,
        ),
      },
    ],
  };
}
