import { createHash } from 'node:crypto';
import type { Store } from '../../store.ts';
import { StripeApiError } from './stripe-error.ts';

export interface StoredResponse {
  status: number;
  body: object;
}

interface StoredKey extends StoredResponse {
  fingerprint: string;
  created: number;
}

// Stripe keeps them for at least a day; time travel makes days short, so the sandbox keeps them longer.
const KEEP_SECONDS = 3 * 86_400;

/** Remembers the first response to each idempotency key. */
export function openIdempotency(store: Store) {
  const responses = store.collection<StoredKey & { key: string }>('stripe_idempotency');
  const inFlight = new Set<string>();
  return {
    /** Returns the stored response, or null for the first request with this key, which is in flight from now on. */
    begin(key: string, request: string): StoredResponse | null {
      if (inFlight.has(key)) {
        const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
        throw refusal(409, message, 'idempotency_key_in_use');
      }
      const first = responses.get(key);
      if (first && first.fingerprint !== fingerprintOf(request)) {
        const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
        throw refusal(400, message);
      }
      if (!first) inFlight.add(key);
      return first ?? null;
    },
    keep(key: string, request: string, response: StoredResponse, at: number) {
      for (const old of responses.values()) {
        if (old.created > at - KEEP_SECONDS) break;
        responses.delete(old.key);
      }
      responses.put(key, { ...response, key, fingerprint: fingerprintOf(request), created: at });
    },
    /** Marks the first request as no longer in flight. */
    end: (key: string) => inFlight.delete(key),
  };
}

const refusal = (status: number, message: string, code?: string) =>
  new StripeApiError(status, 'idempotency_error', message, code ? { code } : {}, true);

const fingerprintOf = (request: string): string =>
  createHash('sha256').update(request).digest('base64url');
