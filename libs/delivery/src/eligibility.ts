import type { Consent } from '@daylift/contracts/fields';
import type { NoSendReason } from '@daylift/contracts/sms.events';

export interface EligibilityFacts {
  is_active: boolean;
  delivery_enabled: boolean;
  /** Local date before which nothing is sent. */
  paused_until: string | null;
  consent: Consent;
  opted_out: boolean;
  entitled: boolean;
  entitled_until: Date | null;
}

/**
 * Returns why this subscriber may not receive a daily text or announcement now, or null. `localDate` is the recipient's
 * (YYYY-MM-DD). The scheduler calls it for plans and previews, sms-gateway in the transaction before each send.
 */
export function sendRefusal(
  facts: EligibilityFacts,
  now: Date,
  localDate: string,
): NoSendReason | null {
  if (facts.opted_out) return 'opted_out';
  if (facts.consent !== 'granted') return 'no_consent';
  if (!facts.is_active) return 'inactive';
  if (!facts.delivery_enabled) return 'delivery_disabled';
  if (facts.paused_until !== null && localDate < facts.paused_until) return 'paused';
  if (!facts.entitled || (facts.entitled_until !== null && now >= facts.entitled_until))
    return 'not_entitled';
  return null;
}
