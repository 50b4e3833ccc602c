import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { BadSignature } from '../errors.ts';
import { stripeApiVersion } from '../stripe-client.ts';
import { takeEvent } from './stripe-events.repository.ts';

type Deps = Pick<BillingDeps, 'db' | 'clock' | 'log' | 'stripe' | 'webhookSecret' | 'wake'>;

/** Receives the provider's webhooks: verifies the signature of the raw body and stores the event. */
export async function stripeWebhookRoutes(app: Server, deps: Deps): Promise<void> {
  // The signature covers the raw body; other content types get 415.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  implement(app, billingApi, {
    'POST /webhooks/stripe': async (request) => {
      const event = verify(deps, request.body, request.headers['stripe-signature']);
      if (event.api_version !== stripeApiVersion)
        deps.log.warn({ api_version: event.api_version }, 'webhook with unexpected API version');
      const fresh = await takeEvent(deps.db, event, 'webhook', deps.clock.now());
      if (fresh) deps.wake('provider-tasks');
      return { received: true as const };
    },
  });
}

function verify(
  { stripe, webhookSecret }: Deps,
  body: unknown,
  signature: string | string[] | undefined,
): Stripe.Event {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw new BadSignature();
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret);
  } catch (error) {
    if (
      error instanceof Stripe.errors.StripeSignatureVerificationError ||
      error instanceof SyntaxError
    )
      throw new BadSignature();
    throw error;
  }
}
