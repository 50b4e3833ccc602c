import { dayMs } from '@daylift/clock/durations';
import type { SubscriptionsTable } from '../database.ts';

/** How long texts continue after a failed payment. */
const graceMs = 7 * dayMs;

type Facts = Pick<SubscriptionsTable, 'status' | 'past_due_since' | 'cancel_at' | 'hold'> &
  Partial<Pick<SubscriptionsTable, 'comp_until'>>;

/**
 * Returns the entitlement to texts; the only place where money becomes one. A trial or paid period: entitled, until a
 * cancellation already made takes effect, so nothing is sent after it even if events are late. A failed payment:
 * entitled for seven days. Anything else, or a payment that is disputed or returned: not entitled. Free access given by
 * staff: entitled until at least its end.
 */
export function entitlementOf(
  facts: Facts,
  now: Date,
): Pick<SubscriptionsTable, 'entitled' | 'entitled_until'> {
  const until = later(endOf(facts), facts.comp_until ?? never);
  const entitled = until === null || now < until;
  return { entitled, entitled_until: entitled ? until : null };
}

const never = new Date(0);

function endOf({ status, past_due_since, cancel_at, hold }: Facts): Date | null {
  if (hold !== null) return never;
  switch (status) {
    case 'trial':
    case 'active':
      return cancel_at;
    case 'past_due':
      return earlier(new Date((past_due_since ?? never).getTime() + graceMs), cancel_at);
    case 'pending':
    case 'expired':
    case 'canceled':
      return never;
  }
}

/** Null means no end. */
const later = (one: Date | null, other: Date): Date | null =>
  one === null || one > other ? one : other;

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}
