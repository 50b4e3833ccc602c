import type { StaffActionKind, StaffOptions } from '@daylift/contracts/billing.http';
import { formatDay, formatDays, formatLocalDate, formatMoney } from '@daylift/ui/formats';

export interface Filled {
  kind: StaffActionKind;
  /** Null while the typed amount or number isn't valid. */
  cents: number | null;
  days: number | null;
  until: string;
  invoice: StaffOptions['refundable'][number] | null;
}

interface About {
  name: string;
  timezone: string;
  options: StaffOptions;
}

const dayMs = 86_400_000;

/** Parses dollars without floating-point arithmetic: `4.99` becomes 499. Returns null if it isn't an amount. */
export function centsOf(typed: string): number | null {
  const match = /^(\d{1,5})(?:\.(\d{1,2}))?$/.exec(typed.trim().replace(/^\$/, ''));
  if (match === null) return null;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return cents > 0 ? cents : null;
}

/** Returns what will happen and to whom, or null while the form isn't complete. */
export function describeEffect(filled: Filled, { name, timezone, options }: About): string | null {
  const { kind, cents, days, until, invoice } = filled;
  const { currency, access_until: from, renews } = options;
  const amount = cents === null ? null : formatMoney(cents, currency);
  const before = from === null ? '' : formatDay(from, timezone);
  const after =
    from === null || days === null
      ? ''
      : formatDay(new Date(Date.parse(from) + days * dayMs).toISOString(), timezone);
  switch (kind) {
    case 'refund':
      if (amount === null || invoice === null) return null;
      return `${name} gets ${amount} of the ${formatMoney(invoice.paid_cents, currency)} paid on ${formatDay(invoice.paid_at, timezone)} back on their card. This doesn't cancel their plan.`;
    case 'credit':
      return amount === null ? null : `${name} gets ${amount} credit, taken off the next charge.`;
    case 'extend_trial':
      if (days === null) return null;
      return `${name}'s free trial ends on ${after} instead of ${before}.${renews ? ' The first charge moves to that day.' : ''}`;
    case 'free_days':
      if (days === null) return null;
      return renews
        ? `${name}'s next charge moves from ${before} to ${after}. Texts continue until then without a charge.`
        : `${name} gets texts for ${formatDays(days)} more, until ${after}, without a charge.`;
    case 'free_access':
      if (until === '') return null;
      return `${name} gets texts through ${formatLocalDate(until)} without a charge.${renews ? ' Their next charge moves to that day.' : ''}`;
    case 'cancel_now':
      return `${name}'s plan ends at once. They get no more texts and no more charges. Nothing is refunded.`;
    case 'cancel_at_period_end':
      return `${name} gets texts until ${before} and isn't charged again. They can undo this themselves.`;
  }
}

/** Returns why this admin can't give that much, or null. */
export function describeLimit({ cents, days }: Filled, options: StaffOptions): string | null {
  const { left, currency } = options;
  if (left === null) return null;
  if ((cents ?? 0) > left.cents)
    return `You can give this subscriber ${formatMoney(left.cents, currency)} more within 30 days. Ask an owner for more.`;
  if ((days ?? 0) > left.days)
    return `You can give this subscriber ${formatDays(left.days)} more within 30 days. Ask an owner for more.`;
  return null;
}

/** The confirm button, with its amount. */
export function confirmLabel({ kind, cents, days }: Filled, currency: string): string {
  const amount = cents === null ? '' : ` ${formatMoney(cents, currency)}`;
  const time = days === null ? '' : ` ${formatDays(days)}`;
  const labels: Record<StaffActionKind, string> = {
    refund: `Refund${amount}`,
    credit: `Give${amount} Credit`,
    free_days: `Give${time} Free`,
    extend_trial: `Extend by${time}`,
    free_access: 'Give Free Access',
    cancel_now: 'End Plan Now',
    cancel_at_period_end: 'Cancel Plan',
  };
  return labels[kind];
}
