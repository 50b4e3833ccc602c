import type { PlanView } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/fields';
import { capitalized, formatDay } from '@daylift/ui/formats';
import { useCatalogue } from '../../catalogue.ts';

/** Returns a plan's name from the catalogue. */
export const usePlanName = (plan: PlanId): string =>
  useCatalogue()?.plans.find(({ id }) => id === plan)?.name ?? plan;

export const intervalOf = (plan: PlanId): string => (plan === 'yearly' ? 'year' : 'month');

/** Returns the last day of the paid period or trial. */
export const endOf = (plan: PlanView, timeZone: string): string | null => {
  const end = plan.status === 'trial' ? plan.trial_end_date : plan.current_period_end;
  return end === null ? null : formatDay(end, timeZone);
};

/** Returns the display name of a card brand. */
export const cardName = (brand: string): string =>
  brand === 'amex' ? 'American Express' : capitalized(brand);
