import type { NoSendReason } from '@daylift/contracts/sms.events';
import type { Subscriber } from '../subscribers/subscribers.table.ts';

/** Explains to a subscriber why there is no next text. */
export function noTextReason(reason: NoSendReason, subscriber: Subscriber): string {
  switch (reason) {
    case 'opted_out':
      return 'You have stopped our texts. Reply START to our number to get them again.';
    case 'no_consent':
      return subscriber.consent === 'pending'
        ? 'Reply YES to our text to start.'
        : 'You have not agreed to get our texts.';
    case 'inactive':
      return 'Your account is paused. Please write to us to go on.';
    case 'delivery_disabled':
      return 'Your texts are switched off. You can switch them on in your settings.';
    case 'paused':
      return `Your texts are paused until ${inWords(subscriber.paused_until)}.`;
    case 'not_entitled':
      return notEntitledReason(subscriber);
  }
}

function notEntitledReason(subscriber: Subscriber): string {
  if (subscriber.entitled_since === null) return 'Your texts start once you have a subscription.';
  return subscriber.entitled
    ? 'Your subscription ends before your next text.'
    : 'Your subscription has ended.';
}

const dayAndMonth = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

function inWords(localDate: string | null): string {
  return localDate === null ? 'further notice' : dayAndMonth.format(Date.parse(localDate));
}
