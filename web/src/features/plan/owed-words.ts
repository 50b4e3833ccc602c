import type { PlanView } from '@daylift/contracts/billing.http';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { cardInWords } from './plan-words.ts';

export type OwedPlan = PlanView & { owed: NonNullable<PlanView['owed']> };

export const isOwed = (plan: PlanView): plan is OwedPlan => plan.owed !== null;

/** Whether only another card is likely to get the payment through. */
export const needsCard = (plan: PlanView): plan is OwedPlan =>
  isOwed(plan) && plan.owed.card_declined;

/** Returns the provider's page for confirming the payment, or null if the bank doesn't require it. */
export const confirmUrl = (plan: PlanView): string | null => plan.owed?.confirm_url ?? null;

interface Reader {
  timezone: string;
  opted_out: boolean;
}

/** Describes the failed payment and, unless the subscriber has opted out, when texts stop. */
export const describeOwed = ({ owed, currency }: OwedPlan, reader: Reader): string => {
  const day = (instant: string) => formatDay(instant, reader.timezone);
  const failed = `Your payment of ${formatMoney(owed.amount_cents, currency)} on ${day(owed.since)} didn't go through.`;
  if (reader.opted_out) return failed;
  return owed.texts_until === null
    ? `${failed} Your texts have stopped. They'll start again once it's paid.`
    : `${failed} Your texts will stop on ${day(owed.texts_until)} unless it's paid by then.`;
};

/** Describes what happens next: the retry, if any, and the card it uses. */
export const describeRetry = (
  { owed, card, next_charge }: OwedPlan,
  { timezone }: Reader,
): string => {
  if (card === null) return 'Please add a card.';
  if (owed.confirm_url) return 'Your bank needs you to confirm this payment.';
  if (!owed.card_declined) return `We're now charging your new card, ${cardInWords(card)}.`;
  return next_charge === null
    ? `Your ${cardInWords(card)} was declined, and we won't try it again.`
    : `Your ${cardInWords(card)} was declined. We'll try again on ${formatDay(next_charge.at, timezone)}.`;
};
