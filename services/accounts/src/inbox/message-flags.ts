import type { InboxFlag, SupportMessageKind } from '@daylift/contracts/inbox.http';

/** Words of someone who may want no more texts, although the reply wasn't taken as a STOP. */
const stopLike =
  /\b(?:s+t+o+p+s?|stahp|stpo|sotp|stopp?e?d?|unsubscribe|unsub|opt(?:ing|ed)? ?-?out|cancel|remove me|leave me alone|no more (?:texts?|messages?)|quit (?:texting|messaging)|do ?n[o']?t (?:text|message|contact) me)\b/i;

/** Words of someone who may be in danger. Flagged for a person to read, never acted on. */
const distress =
  /\b(?:suicid(?:e|al)|kill(?:ing)? my ?self|end(?:ing)? (?:my life|it all)|take my (?:own )?life|(?:want|wanna|going|ready) (?:to )?die|better off dead|(?:hurt|harm|cut)(?:ing|ting)? my ?self|self[- ]?harm|can'?t (?:go on|do this any ?more|take (?:it|this) any ?more)|no reason to live|don'?t want to (?:live|be alive|be here any ?more))\b/i;

/** Returns what an admin should notice about a message. `isStop`: it was taken as a STOP already. */
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
