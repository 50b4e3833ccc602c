import type { PlanView } from '@daylift/contracts/billing.http';

/** Describes why the payments of a plan give no texts, and what happens next; null if they do. */
export function describeHold(
  { hold, status, cancel_at_period_end: isEnding }: PlanView,
  { opted_out }: { opted_out: boolean },
): string | null {
  const isOver = status === 'canceled' || status === 'expired';
  if (hold === 'lost') return 'Your bank returned a payment to you, so your plan has ended.';
  if (hold == null || isOver) return null;
  if (hold === 'disputed') {
    const reviewed = opted_out
      ? 'Your bank is reviewing a payment to us.'
      : "Your bank is reviewing a payment to us, so your texts are paused until it's settled.";
    return isEnding
      ? `${reviewed} Your plan is canceled, and you won't be charged again.`
      : `${reviewed} We won't charge you in the meantime.`;
  }
  const refunded = 'We refunded your last payment';
  if (isEnding) return `${refunded}, and your plan is canceled. You won't be charged again.`;
  return opted_out
    ? `${refunded}.`
    : `${refunded}, so your texts are paused until your next payment.`;
}
