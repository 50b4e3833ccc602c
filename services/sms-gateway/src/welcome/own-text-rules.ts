import type { Consent } from '@daylift/contracts/fields';
import type { TextKind } from '../texts/texts.table.ts';

export type OwnTextKind = Exclude<TextKind, 'daily' | 'announcement'>;

interface OwnTextRule {
  /** What the recipient's consent must be at the moment of sending; null: whatever it is. */
  consent: Consent | null;
  /** How long after its cause it still makes sense; later it is missed. */
  validForHours: number;
}

/**
 * Texts of our own answer something that the person has just done (paid, changed the number, replied, asked for a code), so they go at any
 * hour and whatever the delivery settings are. A number that said STOP gets nothing but its confirmation, and a deleted person gets nothing.
 */
export const ownTextRules: Record<OwnTextKind, OwnTextRule> = {
  welcome: { consent: 'granted', validForHours: 12 },
  consent_request: { consent: 'pending', validForHours: 24 },
  help: { consent: null, validForHours: 1 },
  confirmation: { consent: null, validForHours: 1 },
  // The only text after STOP, and only where the provider does not confirm the STOP itself.
  stop_confirmation: { consent: null, validForHours: 1 },
  // Written by an admin, with an end of its own: not at night, unless the person has just written.
  answer: { consent: 'granted', validForHours: 1 },
  // Its own end comes with the request.
  one_time_code: { consent: 'granted', validForHours: 1 },
};

export function isOwnText(kind: TextKind): kind is OwnTextKind {
  return kind !== 'daily' && kind !== 'announcement';
}
