import Stripe from 'stripe';

/** The API version of the types we use. Create the webhook endpoint with the same one. */
export const stripeApiVersion = '2026-10-28.endive';

/** Creates the Stripe client, which talks to the sandbox if given. Telemetry is off, because it writes files. */
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
 * Returns whether a retry must keep its idempotency key. After a lost response or a rate limit it must, because the
 * first attempt may have worked or was never stored. Other failures are stored and would only be returned again.
 */
export function keepsItsKey(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError
  );
}

/** Returns whether the provider was unreachable, rather than refusing. Says nothing about the request. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAPIError
  );
}

/** Returns whether the provider or the connection failed, rather than our own validation. */
export const isProviderError = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError;

/** Returns whether the provider refused, and so certainly did nothing. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeCardError ||
    error instanceof Stripe.errors.StripeInvalidRequestError
  );
}

/** Returns whether our restricted key lacks a permission. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripePermissionError;

/** Returns whether the card was declined or missing. */
export function isRefusedCard(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeCardError ||
    (error instanceof Stripe.errors.StripeInvalidRequestError &&
      error.code === 'resource_missing' &&
      error.statusCode === 400)
  );
}

/** Returns whether the bank requires confirmation, which is only possible on the provider's pages. */
export function needsConfirmation(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeCardError &&
    (error.decline_code === 'authentication_required' ||
      error.code === 'authentication_required' ||
      error.code === 'invoice_payment_intent_requires_action')
  );
}

export function isMissing(error: unknown, param?: string): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === 'resource_missing' &&
    (param === undefined || error.param === param)
  );
}

/** Returns null if a provider call was rejected because the object doesn't exist; rethrows other errors. */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** Returns whether the provider refused a promotion code, such as one that was deactivated there. */
export const isRefusedDiscount = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.param?.startsWith('discounts') === true;

/** Returns whether an object with the id that we chose exists already. */
export const isResourceExists = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'resource_already_exists';

export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
}

export const instantOf = (unixSeconds: number): Date => new Date(unixSeconds * 1000);
