import type { Collection, Store } from '../store.ts';

/** One block rule of the messaging profile; only the phone itself can lift it. */
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

/** Telnyx matches the whole text, in any case; words around the keyword make it an ordinary text. */
export function autoresponseOf(text: string): Autoresponse | null {
  return keywords[text.trim().toUpperCase()] ?? null;
}

export const openOptOuts = (store: Store): Collection<OptOut> => store.collection('opt_outs');

/** What the provider itself answers to a phone; to HELP nothing is configured, so the product answers. */
export const autoReplies: Record<'STOP' | 'START', string> = {
  STOP: 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.',
  START:
    'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe.',
};
