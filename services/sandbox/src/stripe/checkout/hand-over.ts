import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxDeps } from '../../deps.ts';
import type { Stripe } from '../open-stripe.ts';
import type { Act } from '../state/act.ts';
import type { CheckoutSession } from '../state/objects.ts';

/** So long Checkout waits for the shop to take the completion before it sends the buyer back anyway. */
const WAIT_MS = 10_000;
/** With the dial `redirect_first` the webhooks leave only so much after the buyer. */
const HEAD_START_MS = 1_000;

/** Where the buyer goes after a purchase. Only the literal placeholder is filled in, as at Stripe. */
export function successUrl(session: CheckoutSession): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

/** Saves a completed purchase and lets the shop hear of it before the buyer is sent back. */
export async function handOver(stripe: Stripe, deps: SandboxDeps, act: Act): Promise<void> {
  await stripe.commit(act);
  if (deps.faults.current.stripe.redirect_first) {
    void delay(HEAD_START_MS).then(() => stripe.send(act.events));
    return;
  }
  const heard = act.events.map(async (event) => {
    await stripe.send([event]);
    return event.type;
  });
  const completed = act.events.findIndex((event) => event.type === 'checkout.session.completed');
  await Promise.race([heard[completed], delay(WAIT_MS)]);
}
