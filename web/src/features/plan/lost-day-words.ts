import type { PlanView } from '@daylift/contracts/billing.http';
import { formatDays, formatMoney } from '@daylift/ui/formats';

/** `2 days weren't delivered: $0.34 credit on your next invoice.` */
export function describeLostDays(
  { next_charge, currency }: PlanView,
  { days, credit_cents }: NonNullable<PlanView['lost_days']>,
): string {
  const lost = `${formatDays(days)} ${days === 1 ? "wasn't" : "weren't"} delivered`;
  const credit = `${formatMoney(credit_cents, currency)} credit`;
  return next_charge === null
    ? `${lost}: ${credit} on your next invoice, if you keep your plan or subscribe again.`
    : `${lost}: ${credit} on your next invoice.`;
}
