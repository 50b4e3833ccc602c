import type { InboxFlag, SupportMessageKind } from '@daylift/contracts/inbox.http';

/** Suggests that someone wants no more texts, although the reply wasn't applied as STOP. */
const stopLike =
  /\b(?:s+t+o+p+s?|stahp|stpo|sotp|stopp?e?d?|unsubscribe|unsub|opt(?:ing|ed)? ?-?out|cancel|remove me|leave me alone|no more (?:texts?|messages?)|quit (?:texting|messaging)|do ?n[o']?t (?:text|message|contact) me)\b/i;

/** Suggests that someone may be in danger. Only flagged for an admin, never acted on. */
const distress =
  /\b(?:suicid(?:e|al)|kill(?:ing)? my ?self|end(?:ing)? (?:my life|it all)|take my (?:own )?life|(?:want|wanna|going|ready) (?:to )?die|better off dead|(?:hurt|harm|cut)(?:ing|ting)? my ?self|self[- ]?harm|can'?t (?:go on|do this any ?more|take (?:it|this) any ?more)|no reason to live|don'?t want to (?:live|be alive|be here any ?more))\b/i;

/** Returns the flags of a message. `isStop` means it was already applied as STOP. */
export function flagsOf({
  kind,
  message,
  isStop,
}: {
  kind: SupportMessageKind;
  message: string;
  isStop: boolean;
}): InboxFlag[] {
  const words = message.replaceAll(/[‘’]/g, "'");
  return [
    ...(distress.test(words) ? (['distress'] as const) : []),
    ...(kind === 'reply' && !isStop && stopLike.test(words) ? (['stop'] as const) : []),
  ];
}
