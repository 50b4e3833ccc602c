/** What becomes of a gift, for the oracle: shares no code with billing or the sandbox. Times are Unix seconds. */

import { leftOf, type Payment } from './payments.ts';

export interface Gift extends Payment {
  /** Billing's. */
  id: string;
  months: number;
  /** Its free time, once it's redeemed. */
  used: { from: number; until: number } | null;
  /** Whether that time postpones the charge of a plan. Until then it's free access. */
  isInPlan: boolean;
  /** How much of that has been taken back, because the payment is disputed. */
  taken: number | null;
}

/** Why a gift's link doesn't work, or null. */
export function refusalOf({ used, dispute, ...gift }: Gift): string | null {
  if (used !== null) return 'GIFT_USED';
  if (dispute?.state === 'open' || dispute?.state === 'lost') return 'GIFT_DISPUTED';
  return leftOf({ ...gift, dispute }) === 0 ? 'GIFT_REFUNDED' : null;
}

export function unusedOf({ used }: Gift, now: number): number {
  return used === null ? 0 : Math.max(0, used.until - Math.max(now, used.from));
}

/** Times of free access have milliseconds. */
export const toMs = (seconds: number): number => Math.round(seconds * 1000) / 1000;
