import { hourMs } from '@daylift/clock/durations';
import { sendInstant } from '@daylift/delivery/send-instant';
import { isQuietHours, localDateAt } from '@daylift/delivery/send-windows';
import type { User } from '../users/users.table.ts';

/** A person who texted within the hour may get a reply at any hour. */
const replyWindowMs = hourMs;
const answerableMs = 3 * hourMs;
const nightHour = 21;

type Person = Pick<User, 'opted_out' | 'consent' | 'timezone'>;

const hasJustWritten = (lastReplyAt: Date | null, now: Date): boolean =>
  lastReplyAt !== null && now.getTime() - lastReplyAt.getTime() < replyWindowMs;

/** Returns why a reply can't be texted now, in words for the admin, or null. */
export function textRefusal(
  user: Person | undefined,
  lastReplyAt: Date | null,
  now: Date,
): string | null {
  if (user === undefined) return 'Only subscribers can be texted.';
  if (user.opted_out) return 'They replied STOP. Only a START from their phone reverses it.';
  if (user.consent !== 'granted') return "They haven't agreed to receive texts.";
  if (hasJustWritten(lastReplyAt, now) || !isQuietHours(now, user.timezone)) return null;
  const time = new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: user.timezone,
  }).format(now);
  return `It's ${time} in their time zone. Texts can go out from 8 AM to 9 PM, or within an hour of their last text.`;
}

/** Returns how long the reply may be sent: briefly, and in quiet hours only while the person is likely awake. */
export function answerClosesAt({ timezone }: Person, now: Date): Date {
  if (isQuietHours(now, timezone)) return new Date(now.getTime() + replyWindowMs);
  const useful = new Date(now.getTime() + answerableMs);
  const night = sendInstant(localDateAt(now, timezone), nightHour, timezone);
  return night < useful ? night : useful;
}
