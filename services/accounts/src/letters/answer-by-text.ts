import { sendInstant } from '@daylift/delivery/send-instant';
import { isQuietHours, localDateAt } from '@daylift/delivery/send-windows';
import type { User } from '../users/users.table.ts';

/** Whoever wrote by text within a day is awake enough for the answer, at whatever hour. */
const answersReplyMs = 24 * 3_600_000;
const usefulMs = 3 * 3_600_000;
const nightHour = 21;

type Person = Pick<User, 'opted_out' | 'consent' | 'timezone'>;

const hasJustWritten = (lastReplyAt: Date | null, now: Date): boolean =>
  lastReplyAt !== null && now.getTime() - lastReplyAt.getTime() < answersReplyMs;

/** Why an answer can't go by text now, in words for the admin; null where it can. */
export function whyNotByText(
  user: Person | undefined,
  lastReplyAt: Date | null,
  now: Date,
): string | null {
  if (user === undefined) return 'Only subscribers, who have agreed to it, can be texted.';
  if (user.opted_out) return 'They replied STOP. Only START from their phone lifts it.';
  if (user.consent !== 'granted') return 'They have not agreed to get texts.';
  if (hasJustWritten(lastReplyAt, now) || !isQuietHours(now, user.timezone)) return null;
  const time = new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: user.timezone,
  }).format(now);
  return `It is ${time} where they are. Texts go from 8 AM to 9 PM, later only to whoever wrote by text within a day.`;
}

/** Until when the answer may go: not for long, and not into the night of somebody who did not just write. */
export function answerClosesAt(user: Person, lastReplyAt: Date | null, now: Date): Date {
  const useful = new Date(now.getTime() + usefulMs);
  if (hasJustWritten(lastReplyAt, now)) return useful;
  const night = sendInstant(localDateAt(now, user.timezone), nightHour, user.timezone);
  return night < useful ? night : useful;
}
