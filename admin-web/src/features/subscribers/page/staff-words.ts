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

/** Parses an amount without floating-point arithmetic: `4.99` becomes 499. Returns null if it's invalid. */
export function centsOf(typed: string): number | null {
  const match = /^(\d{1,5})(?:\.(\d{1,2}))?$/.exec(typed.trim().replace(/^[$£€]/, ''));
  if (match === null) return null;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return cents > 0 ? cents : null;
}

/** Returns what the action will do, or null while the form is incomplete. */
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
      return `${name} gets ${amount} of the ${formatMoney(invoice.paid_cents, currency)} paid on ${formatDay(invoice.paid_at, timezone)} refunded to their card. This doesn't cancel their plan.`;
    case 'credit':
      return amount === null ? null : `${name} gets a ${amount} credit toward their next charge.`;
    case 'extend_trial':
      if (days === null) return null;
      return `${name}'s free trial ends on ${after} instead of ${before}.${renews ? ' The first charge moves to that day.' : ''}`;
    case 'free_days':
      if (days === null) return null;
      return renews
        ? `${name}'s next charge moves from ${before} to ${after}. Texts continue as usual.`
        : `${name} gets free texts for ${formatDays(days)} longer, until ${after}.`;
    case 'free_access':
      if (until === '') return null;
      return `${name} gets free texts through ${formatLocalDate(until)}.${renews ? ' Their next charge moves to that day.' : ''}`;
    case 'cancel_now':
      return `${name}'s plan ends now. They get no more texts and won't be charged again. This doesn't refund anything.`;
    case 'cancel_at_period_end':
      return `${name} gets texts until ${before} and won't be charged again. They can undo this on their dashboard.`;
  }
}

/** Returns a message if this exceeds what the admin may give, or null. */
export function describeLimit({ cents, days }: Filled, options: StaffOptions): string | null {
  const { left, currency } = options;
  if (left === null) return null;
  if ((cents ?? 0) > left.cents)
    return `The 30-day operator limit for this subscriber has ${formatMoney(left.cents, currency)} left. Ask an owner to give more.`;
  if ((days ?? 0) > left.days)
    return `The 30-day operator limit for this subscriber has ${formatDays(left.days)} left. Ask an owner to give more.`;
  return null;
}

/** Returns the label of the confirm button, with the amount or days. */
export function confirmLabel({ kind, cents, days }: Filled, currency: string): string {
  const amount = cents === null ? '' : ` ${formatMoney(cents, currency)}`;
  const unit = days === 1 ? 'Day' : 'Days';
  const labels: Record<StaffActionKind, string> = {
    refund: `Refund${amount}`,
    credit: `Give${amount} Credit`,
    free_days: days === null ? 'Give Free Days' : `Give ${days} Free ${unit}`,
    extend_trial: days === null ? 'Extend Trial' : `Extend by ${days} ${unit}`,
    free_access: 'Give Free Access',
    cancel_now: 'End Plan Now',
    cancel_at_period_end: 'Cancel Plan',
  };
  return labels[kind];
}
