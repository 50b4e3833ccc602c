import { createHash } from 'node:crypto';
import type { Store } from '../../store.ts';
import { invalidRequest, StripeApiError } from './stripe-error.ts';

export interface Answer {
  status: number;
  body: object;
}

interface Kept extends Answer {
  key: string;
  fingerprint: string;
  created: number;
}

// Stripe keeps them for at least a day; time travel makes days short, so the sandbox keeps them longer.
const KEEP_SECONDS = 3 * 86_400;

/** Remembers the first answer to each idempotency key. */
export interface Idempotency {
  /** Returns the kept answer, or null for the first request with this key, which is in flight from here on. */
  begin(key: string, request: string): Answer | null;
  keep(key: string, request: string, answer: Answer, at: number): void;
  /** Ends the flight of the first request. */
  end(key: string): void;
}

export function openIdempotency(store: Store): Idempotency {
  const kept = store.collection<Kept>('stripe_idempotency');
  const inFlight = new Set<string>();
  return {
    begin(key, request) {
      if (key.length > 255) {
        throw invalidRequest('Idempotency keys can be up to 255 characters long.');
      }
      if (inFlight.has(key)) {
        throw new StripeApiError(
          409,
          'idempotency_error',
          `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
          { code: 'idempotency_key_in_use' },
          true,
        );
      }
      const first = kept.get(key);
      if (first && first.fingerprint !== fingerprintOf(request)) {
        throw new StripeApiError(
          400,
          'idempotency_error',
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
          {},
          true,
        );
      }
      if (!first) inFlight.add(key);
      return first ?? null;
    },
    keep(key, request, answer, at) {
      for (const old of kept.values()) {
        if (old.created > at - KEEP_SECONDS) break;
        kept.delete(old.key);
      }
      kept.put(key, { ...answer, key, fingerprint: fingerprintOf(request), created: at });
    },
    end: (key) => {
      inFlight.delete(key);
    },
  };
}

function fingerprintOf(request: string): string {
  return createHash('sha256').update(request).digest('base64url');
}
