import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import { type Currency, defaultCurrency, defaultPlan, planTerms } from '@daylift/contracts/plans';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

export type Plan = PublicCatalogue['plans'][number];

/** Product name, prices and trial, which are configured on the server. */
export const catalogueQuery = {
  ...apiQuery(['catalogue'], 'GET /plans'),
  staleTime: Number.POSITIVE_INFINITY,
};

const catalogueIn = (currency: Currency) => ({
  ...apiQuery(['catalogue', currency], 'GET /plans', { query: { currency } }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the catalogue in a subscriber's currency, or the one for visitors. */
export const useCatalogue = (currency: Currency = defaultCurrency): PublicCatalogue | undefined => {
  const isDefault = currency === defaultCurrency;
  const base = useQuery(catalogueQuery).data;
  const other = useQuery({ ...catalogueIn(currency), enabled: !isDefault }).data;
  return isDefault ? base : other;
};

export const trialLabel = (
  catalogue: PublicCatalogue | undefined,
  days = catalogue?.trial_days ?? 0,
): string => (days > 0 ? `Start ${days}-Day Free Trial` : 'Start Free Trial');

/** Returns the visitor's trial length, or 0 if they have already had a trial. */
export const useTrialDays = (hasHadTrial: boolean): number | undefined => {
  const days = useCatalogue()?.trial_days;
  return hasHadTrial ? 0 : days;
};

export interface Saving {
  percent: number;
  perMonthCents: number;
  freeMonths: number;
}

/** Returns what a plan saves over monthly payments, or null. */
export const savingOf = (
  { id, price_cents, saving_percent: percent }: Plan,
  { plans }: PublicCatalogue,
): Saving | null => {
  const monthly = plans.find((plan) => plan.id === defaultPlan)?.price_cents;
  if (monthly === undefined || percent <= 0) return null;
  const { months } = planTerms[id];
  return {
    percent,
    perMonthCents: Math.round(price_cents / months),
    freeMonths: Math.round((months * monthly - price_cents) / monthly),
  };
};

/** Suffix of a price to which tax is added. */
export const plusTax = (catalogue: Pick<PublicCatalogue, 'plus_tax'>): string =>
  catalogue.plus_tax ? ' plus tax' : '';
