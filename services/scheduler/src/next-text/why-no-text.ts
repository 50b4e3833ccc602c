import { unpaidWords } from '@daylift/contracts/no-text-words';
import type { NoSendReason } from '@daylift/contracts/sms.events';
import type { Subscriber } from '../subscribers/subscribers.table.ts';

/** Explains to a subscriber why there is no next text. */
export function noTextReason(reason: NoSendReason, subscriber: Subscriber): string {
  switch (reason) {
    case 'opted_out':
      return 'Your texts are off. Text START to our number to turn them back on.';
    case 'no_consent':
      return subscriber.consent === 'pending'
        ? 'Reply YES to our text, or confirm your number with a code in Settings, to start.'
        : "You haven't agreed to receive our texts.";
    case 'inactive':
      return 'Your account is paused. Please contact us to continue.';
    case 'delivery_disabled':
      return 'Your texts are turned off. You can turn them on in your settings.';
    case 'paused':
      return `Your texts are paused until ${inWords(subscriber.paused_until)}.`;
    case 'not_entitled':
      return notEntitledReason(subscriber);
  }
}

function notEntitledReason(subscriber: Subscriber): string {
  if (subscriber.entitled_since === null) return unpaidWords.never;
  return subscriber.entitled ? 'Your subscription ends before your next text.' : unpaidWords.ended;
}

const dayAndMonth = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

function inWords(localDate: string | null): string {
  return localDate === null ? 'further notice' : dayAndMonth.format(Date.parse(localDate));
}
