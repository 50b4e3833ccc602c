import type { Collection, Store } from '../store.ts';

/** A block rule of the messaging profile. Only a text from the phone lifts it. */
export interface OptOut {
  from: string;
  to: string;
  keyword: string;
  created_at: string;
  messaging_profile_id: string;
}

export type Autoresponse = 'STOP' | 'START' | 'HELP';

const keywords: Record<string, Autoresponse> = {
  STOP: 'STOP',
  STOPALL: 'STOP',
  'STOP ALL': 'STOP',
  UNSUBSCRIBE: 'STOP',
  CANCEL: 'STOP',
  END: 'STOP',
  QUIT: 'STOP',
  START: 'START',
  UNSTOP: 'START',
  HELP: 'HELP',
};

/** Returns the keyword that a whole text is, in any case, or null. */
export function autoresponseOf(text: string): Autoresponse | null {
  return keywords[text.trim().toUpperCase()] ?? null;
}

export const openOptOuts = (store: Store): Collection<OptOut> => store.collection('opt_outs');

/** The provider's own replies. HELP has none, so the product replies. */
export const autoReplies: Record<'STOP' | 'START', string> = {
  STOP: 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.',
  START:
    'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe.',
};
