import { dayMs } from '@daylift/clock/durations';
import { sendRefusal } from '@daylift/delivery/eligibility';
import { isQuietHours, localDateAt, nextMorning } from '@daylift/delivery/send-windows';
import type { Kysely } from 'kysely';
import { announcementKind } from '../announcements/announcements.actions.ts';
import { findMessagesHad } from '../contents/content-choice.repository.ts';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { findLastUsedDates, pageOfSubscribers } from './staff-sends.repository.ts';

const pageSize = 500;

/** Somebody whom a staff send would reach now. */
export interface StaffSendRecipient {
  user_id: string;
  timezone: string;
  /** On their own clock. */
  local_date: string;
  is_quiet: boolean;
  /** When it is 08:00 for them next, and the date it then is. */
  morning: { at: Date; local_date: string };
}

export interface RecipientPage {
  recipients: StaffSendRecipient[];
  /** Where the next page begins; null after the last. */
  next: string | null;
}

/** A staff send uses up the date of its readers; an announcement comes on top of it. */
export const kindOf = (message: Pick<ScheduledMessage, 'id' | 'category'>): string =>
  message.category === 'announcement' ? announcementKind(message.id) : 'daily';

/**
 * The next page of those who would get a message by hand now: everyone who may receive and has had no text for their
 * local date, nor this message before. The first-day rule does not hold anybody back.
 */
export async function findRecipients(
  db: Kysely<SchedulerDatabase>,
  message: ScheduledMessage,
  afterUserId: string | null,
  now: Date,
  options: { lock: boolean } = { lock: false },
): Promise<RecipientPage> {
  const subscribers = await pageOfSubscribers(db, afterUserId, pageSize, options.lock);
  const recipients = await chooseRecipients(db, message, subscribers, now);
  const next = subscribers.length < pageSize ? null : (subscribers.at(-1)?.user_id ?? null);
  return { recipients, next };
}

/** Which of these people would get it. */
export async function chooseRecipients(
  db: Kysely<SchedulerDatabase>,
  message: ScheduledMessage,
  subscribers: Subscriber[],
  now: Date,
): Promise<StaffSendRecipient[]> {
  if (subscribers.length === 0) return [];
  const userIds = subscribers.map((one) => one.user_id);
  // It is nowhere more than a day earlier than in UTC.
  const since = new Date(now.getTime() - dayMs).toISOString().slice(0, 10);
  const lastUsed = await findLastUsedDates(db, userIds, kindOf(message), since);
  const had = await findMessagesHad(db, userIds, [message.id]);
  const zoneAt = zonesAt(now);
  return (
    subscribers
      .map((one) => recipientOf(one, now, zoneAt))
      .filter((one) => one !== null)
      // Somebody who moved west may be back on a date before one they had a text for.
      .filter((one) => (lastUsed.get(one.user_id) ?? '') < one.local_date)
      .filter((one) => !had.has(`${one.user_id}/${message.id}`))
  );
}

type ZoneNow = Omit<StaffSendRecipient, 'user_id' | 'timezone'>;

/** What is the same for all people of a zone, found out once for each. */
function zonesAt(now: Date): (timezone: string) => ZoneNow {
  const known = new Map<string, ZoneNow>();
  return (timezone) => {
    const found = known.get(timezone);
    if (found !== undefined) return found;
    const morning = nextMorning(now, timezone);
    const zone = {
      local_date: localDateAt(now, timezone),
      is_quiet: isQuietHours(now, timezone),
      morning: { at: morning, local_date: localDateAt(morning, timezone) },
    };
    known.set(timezone, zone);
    return zone;
  };
}

function recipientOf(
  subscriber: Subscriber,
  now: Date,
  zoneAt: (timezone: string) => ZoneNow,
): StaffSendRecipient | null {
  const { user_id, timezone } = subscriber;
  if (timezone === null) return null;
  const zone = zoneAt(timezone);
  return sendRefusal(subscriber, now, zone.local_date) === null
    ? { user_id, timezone, ...zone }
    : null;
}
