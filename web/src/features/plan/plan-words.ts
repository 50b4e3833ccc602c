import type { PlanView } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/fields';
import { formatDay } from '@daylift/ui/formats';
import { useCatalogue } from '../../catalogue.ts';

/** The catalogue's name of a plan. */
export const usePlanName = (plan: PlanId): string =>
  useCatalogue()?.plans.find(({ id }) => id === plan)?.name ?? plan;

export const intervalOf = (plan: PlanId): string => (plan === 'yearly' ? 'year' : 'month');

/** The day on which what is paid for, or free, comes to its end. */
export const endOf = (plan: PlanView, timeZone: string): string | null => {
  const end = plan.status === 'trial' ? plan.trial_end_date : plan.current_period_end;
  return end === null ? null : formatDay(end, timeZone);
};

/** `visa` as the card has it. */
export const cardName = (brand: string): string =>
  brand === 'amex' ? 'American Express' : brand.charAt(0).toUpperCase() + brand.slice(1);
