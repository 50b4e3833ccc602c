import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api.ts';

export type Plan = PublicCatalogue['plans'][number];

/** Names, prices and the trial: configuration of the service, so pages print nothing of it by themselves. */
export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => call('GET /plans', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The catalogue, or undefined while it is on its way. */
export const useCatalogue = (): PublicCatalogue | undefined => useQuery(catalogueQuery).data;

/** The label of the one call to action. */
export const trialLabel = (catalogue: PublicCatalogue | undefined): string =>
  catalogue && catalogue.trial_days > 0
    ? `Start ${catalogue.trial_days}-Day Free Trial`
    : 'Start Free Trial';

/** The trial that a visitor gets: none where it is known that they have had it. */
export const useTrialDays = (hasHadTrial: boolean): number | undefined => {
  const days = useCatalogue()?.trial_days;
  return hasHadTrial ? 0 : days;
};

/** What a yearly plan means against twelve single months. */
export const yearlyAdvantage = (
  catalogue: PublicCatalogue,
): { perMonthCents: number; freeMonths: number; savingPercent: number } | null => {
  const monthly = catalogue.plans.find((plan) => plan.interval === 'month');
  const yearly = catalogue.plans.find((plan) => plan.interval === 'year');
  if (!monthly || !yearly) return null;
  return {
    perMonthCents: Math.round(yearly.price_cents / 12),
    freeMonths: Math.round((12 * monthly.price_cents - yearly.price_cents) / monthly.price_cents),
    savingPercent: yearly.saving_percent,
  };
};
