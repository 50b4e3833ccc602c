import type { PlanView, UserSubscription } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/plans';
import { capitalized, formatDay } from '@daylift/ui/formats';
import { useCatalogue } from '../../catalogue.ts';

/** Returns a plan's name from the catalogue. */
export const usePlanName = (plan: PlanId): string =>
  useCatalogue()?.plans.find(({ id }) => id === plan)?.name ?? plan;

/** Returns the last day of the paid period or trial. */
export const endOf = (plan: PlanView, timeZone: string): string | null => {
  const end = plan.status === 'trial' ? plan.trial_end_date : plan.current_period_end;
  return end === null ? null : formatDay(end, timeZone);
};

/** `Visa ending in 4242` */
export const cardInWords = ({ brand, last4 }: NonNullable<PlanView['card']>): string =>
  `${brand === 'amex' ? 'American Express' : capitalized(brand)} ending in ${last4}`;

/** Returns whether the subscriber has free access and no running plan, for example by a gift. */
export const hasOnlyFreeTexts = ({ status, free_until }: PlanView): boolean =>
  Boolean(free_until) && checkoutLabels[status] !== undefined;

/** Returns the status to show: free access counts as active, even after a plan has ended. */
export const shownStatus = (plan: PlanView): PlanView['status'] =>
  hasOnlyFreeTexts(plan) ? 'active' : plan.status;

/** The button that leads to the checkout, for each status that needs one. */
export const checkoutLabels: Partial<Record<UserSubscription['status'], string>> = {
  pending: 'Finish Your Checkout',
  expired: 'Subscribe Again',
  canceled: 'Subscribe Again',
};
