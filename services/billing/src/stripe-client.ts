import Stripe from 'stripe';

/** The version whose shapes this service reads; the webhook endpoint has to be created with the same. */
export const stripeApiVersion = '2026-10-28.endive';

/** The one Stripe client. With a sandbox it speaks to that instead; telemetry off keeps it from writing files. */
export function createStripe(options: { apiKey: string; sandboxUrl?: string | undefined }): Stripe {
  const base = {
    apiVersion: stripeApiVersion,
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
  } as const;
  if (options.sandboxUrl === undefined) return new Stripe(options.apiKey, base);
  const url = new URL(options.sandboxUrl);
  return new Stripe(options.apiKey, {
    ...base,
    protocol: 'http',
    host: url.hostname,
    port: Number(url.port || 80),
  });
}

/**
 * Whether trying again must use the same idempotency key. A lost answer and a full rate limit: yes, the first try may
 * have worked, or was never stored. Anything else was stored as a failure and would only be repeated to us.
 */
export function keepsItsKey(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError
  );
}

/** The provider could not be asked, as opposed to: it refused. Says nothing about what was asked. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAPIError
  );
}

/** Anything that the provider or the way to it said, as opposed to a refusal of our own. */
export const isProviderError = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError;

/** The provider answered that it does not do this, so surely did nothing. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeCardError ||
    error instanceof Stripe.errors.StripeInvalidRequestError
  );
}

/** The card did not give the money, or there is none. */
export function isRefusedCard(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeCardError ||
    (error instanceof Stripe.errors.StripeInvalidRequestError &&
      error.code === 'resource_missing' &&
      error.statusCode === 400)
  );
}

export function isMissing(error: unknown, param?: string): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === 'resource_missing' &&
    (param === undefined || error.param === param)
  );
}

/** The id of something that the API gives either as an id or, when expanded, as a whole. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
}

export const instantOf = (unixSeconds: number): Date => new Date(unixSeconds * 1000);
