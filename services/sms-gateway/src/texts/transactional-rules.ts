import type { Consent } from '@daylift/contracts/fields';
import type { TextKind } from './texts.table.ts';

export type TransactionalTextKind = Exclude<TextKind, 'daily' | 'announcement'>;

interface OwnTextRule {
  /** The consent required when sending; null for any. */
  consent: Consent | null;
  /** How long the text stays useful; after that it is missed. */
  validForHours: number;
}

/**
 * Transactional texts respond to something the person just did (paid, changed the number, replied, asked for a code),
 * so they're sent at any hour whatever the delivery settings. Those that staff or a renewal caused wait for the morning
 * (`deferPastQuietHours` in `consent-requests.ts`), and so do those held up for an hour (`responseWindows`). A number
 * that texted STOP gets only its confirmation, and a deleted person gets nothing.
 */
export const transactionalTextRules: Record<TransactionalTextKind, OwnTextRule> = {
  welcome: { consent: 'granted', validForHours: 24 },
  consent_request: { consent: 'pending', validForHours: 24 },
  help: { consent: null, validForHours: 1 },
  confirmation: { consent: null, validForHours: 1 },
  // The only text after STOP, and only if the provider doesn't confirm the STOP itself.
  stop_confirmation: { consent: null, validForHours: 1 },
  // To someone who may be in danger.
  crisis_line: { consent: null, validForHours: 1 },
  // Written by an admin, with its own expiry: not during quiet hours, unless the person has just written.
  answer: { consent: 'granted', validForHours: 1 },
  // Sent by an admin to their own phone.
  test: { consent: null, validForHours: 1 },
  // Its expiry comes with the request.
  one_time_code: { consent: 'granted', validForHours: 1 },
};

export function isTransactional(kind: TextKind): kind is TransactionalTextKind {
  return kind !== 'daily' && kind !== 'announcement';
}
