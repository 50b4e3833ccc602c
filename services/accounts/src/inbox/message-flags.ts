import type { InboxFlag, SupportMessageKind } from '@daylift/contracts/inbox.http';
import { readCrisis } from '@daylift/delivery/crisis';

/** Suggests that someone wants no more texts, although the reply wasn't applied as STOP. */
const stopLike =
  /\b(?:s+t+o+p+s?|stahp|stpo|sotp|stopp?e?d?|unsubscribe|unsub|opt(?:ing|ed)? ?-?out|cancel|remove me|leave me alone|no more (?:texts?|messages?)|quit (?:texting|messaging)|do ?n[o']?t (?:text|message|contact) me)\b/i;

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
  return [
    ...(readCrisis(message).is_crisis ? (['distress'] as const) : []),
    ...(kind === 'reply' && !isStop && stopLike.test(message.replaceAll(/[‘’]/g, "'"))
      ? (['stop'] as const)
      : []),
  ];
}
