import type { PlanView } from '@daylift/contracts/billing.http';
import { formatCount, formatMoney } from '@daylift/ui/formats';

/** `2 texts didn't reach you: $0.34 credit on your next invoice.` */
export function describeLostDays(
  { next_charge, currency }: PlanView,
  { days, credit_cents }: NonNullable<PlanView['lost_days']>,
): string {
  const lost = `${formatCount(days)} ${days === 1 ? 'text' : 'texts'} didn't reach you`;
  const credit = `${formatMoney(credit_cents, currency)} credit`;
  return next_charge === null
    ? `${lost}: ${credit} on your next invoice, if you keep your plan or subscribe again.`
    : `${lost}: ${credit} on your next invoice.`;
}
