import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

export type Plan = PublicCatalogue['plans'][number];

/** Product name, prices and trial, which are configured on the server. */
export const catalogueQuery = {
  ...apiQuery(['catalogue'], 'GET /plans'),
  staleTime: Number.POSITIVE_INFINITY,
};

export const useCatalogue = (): PublicCatalogue | undefined => useQuery(catalogueQuery).data;

export const trialLabel = (
  catalogue: PublicCatalogue | undefined,
  days = catalogue?.trial_days ?? 0,
): string => (days > 0 ? `Start ${days}-Day Free Trial` : 'Start Free Trial');

/** Returns the visitor's trial length, or 0 if they have already had a trial. */
export const useTrialDays = (hasHadTrial: boolean): number | undefined => {
  const days = useCatalogue()?.trial_days;
  return hasHadTrial ? 0 : days;
};

export interface YearlyAdvantage {
  perMonthCents: number;
  freeMonths: number;
  savingPercent: number;
}

/** Returns the savings of the yearly plan over twelve monthly payments, or null if there are none. */
export const yearlyAdvantage = (catalogue: PublicCatalogue): YearlyAdvantage | null => {
  const monthly = catalogue.plans.find((plan) => plan.interval === 'month');
  const yearly = catalogue.plans.find((plan) => plan.interval === 'year');
  if (!monthly || !yearly || yearly.saving_percent <= 0) return null;
  return {
    perMonthCents: Math.round(yearly.price_cents / 12),
    freeMonths: Math.round((12 * monthly.price_cents - yearly.price_cents) / monthly.price_cents),
    savingPercent: yearly.saving_percent,
  };
};

/** Follows a price to which tax is added. */
export const plusTax = (catalogue: Pick<PublicCatalogue, 'plus_tax'>): string =>
  catalogue.plus_tax ? ' plus tax' : '';
