import { hourMs } from '@daylift/clock/durations';
import type { Trx } from '../database.ts';
import { signupLifetimeMs } from '../users/new-user.ts';
import { extendSignup } from './signups.repository.ts';

/** Time for the event of a payment in the last minute. */
const paymentMarginMs = hourMs;

/** Two checkouts in a row fit in; opening more does not keep an unpaid signup forever. */
const maxSignupMs = 2 * signupLifetimeMs + paymentMarginMs;

/** Extends an unpaid signup until its checkout expires, up to 49 hours from its registration. */
export async function keepWhilePayable(
  trx: Trx,
  checkout: { user_id: string; expires_at: string },
): Promise<void> {
  const end = new Date(Date.parse(checkout.expires_at) + paymentMarginMs);
  await extendSignup(trx, checkout.user_id, { end, maxMs: maxSignupMs });
}
