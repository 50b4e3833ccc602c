import { dayMs } from '@daylift/clock/durations';
import type { SubscriptionStatus } from '@daylift/contracts/fields';

/** How long a failed payment is waited for while texts go on. */
export const graceMs = 7 * dayMs;

export interface BillingFacts {
  status: SubscriptionStatus;
  /** When the payment failed that is still owed. */
  past_due_since: Date | null;
  /** When the subscription ends by a cancellation that was already made. */
  cancel_at: Date | null;
}

export interface Entitlement {
  entitled: boolean;
  /** With `entitled`: until then; null while no end is known. */
  entitled_until: Date | null;
}

/**
 * The one place where money becomes an entitlement to texts.
 * A trial or a paid period: yes, with no known end, or until a cancellation that was made takes effect, so that nothing
 * is sent after it even if the provider's news are late. A failed payment: for seven days from its failure. Anything
 * else: no.
 */
export function entitlementOf(facts: BillingFacts, now: Date): Entitlement {
  const until = endOf(facts);
  const entitled = until === null || now < until;
  return { entitled, entitled_until: entitled ? until : null };
}

const never = new Date(0);

function endOf({ status, past_due_since, cancel_at }: BillingFacts): Date | null {
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

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}
