import { dayMs } from '@daylift/clock/durations';
import { sendRefusal } from '@daylift/delivery/eligibility';
import { nextLocalDate } from '@daylift/delivery/next-date';
import { isQuietHours, localDateAt, nextMorning } from '@daylift/delivery/send-windows';
import type { Kysely } from 'kysely';
import { announcementKind } from '../announcements/announcements.actions.ts';
import { findMessagesHad } from '../contents/content-choice.repository.ts';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';
import { findLastUsedDates } from '../dispatches/dispatches.repository.ts';
import { pageOfSubscribers } from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';

const pageSize = 500;
const maxPages = 20;

/** A recipient of a manual send. */
export interface ManualSendRecipient {
  user_id: string;
  timezone: string;
  /** In the recipient's zone. */
  local_date: string;
  is_quiet: boolean;
  /** Weekly, and it isn't their day. */
  is_off_day: boolean;
  /** The recipient's next 08:00 and its date. */
  morning: { at: Date; local_date: string };
}

export interface RecipientPage {
  recipients: ManualSendRecipient[];
  /** Start of the next page; null after the last. */
  next: string | null;
}

/** A manual send uses its recipients' date; an announcement comes in addition. */
export const kindOf = (message: Pick<ScheduledMessage, 'id' | 'category'>): string =>
  message.category === 'announcement' ? announcementKind(message.id) : 'daily';

/**
 * Returns the next page of a manual send's recipients: everyone who may receive, has had no text for their local date
 * and hasn't had this message. The first-day rule doesn't apply.
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

/** Counts recipients among the first 10,000 subscribers, up to `atMost`. */
export async function countRecipients(
  db: Kysely<SchedulerDatabase>,
  message: ScheduledMessage,
  now: Date,
  atMost: number,
): Promise<number> {
  let count = 0;
  let after: string | null = null;
  for (let pages = 0; pages < maxPages && count < atMost; pages += 1) {
    const page: RecipientPage = await findRecipients(db, message, after, now);
    count += page.recipients.length;
    after = page.next;
    if (after === null) break;
  }
  return Math.min(count, atMost);
}

/** Returns which of these subscribers would get it. */
export async function chooseRecipients(
  db: Kysely<SchedulerDatabase>,
  message: ScheduledMessage,
  subscribers: Subscriber[],
  now: Date,
): Promise<ManualSendRecipient[]> {
  if (subscribers.length === 0) return [];
  const userIds = subscribers.map((one) => one.user_id);
  // A local date is at most one day behind UTC.
  const since = new Date(now.getTime() - dayMs).toISOString().slice(0, 10);
  const lastUsed = await findLastUsedDates(db, userIds, kindOf(message), since);
  const had = await findMessagesHad(db, userIds, [message.id]);
  const zoneAt = zonesAt(now);
  return (
    subscribers
      .map((one) => recipientOf(one, now, zoneAt))
      .filter((one) => one !== null)
      // A subscriber who moved west may be back on a date before their last text's.
      .filter((one) => (lastUsed.get(one.user_id) ?? '') < one.local_date)
      .filter((one) => !had.has(`${one.user_id}/${message.id}`))
  );
}

type ZoneNow = Omit<ManualSendRecipient, 'user_id' | 'timezone' | 'is_off_day'>;

/** Caches what is the same for everyone in a zone. */
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
): ManualSendRecipient | null {
  const { user_id, timezone } = subscriber;
  if (timezone === null) return null;
  const zone = zoneAt(timezone);
  return sendRefusal(subscriber, now, zone.local_date) === null
    ? { user_id, timezone, is_off_day: isOffDay(subscriber, dateOf(zone)), ...zone }
    : null;
}

/** Texts held during quiet hours use the next morning's date. */
const dateOf = ({ is_quiet, morning, local_date }: ZoneNow) =>
  is_quiet ? morning.local_date : local_date;

function isOffDay({ frequency, weekday, first_local_date, timezone }: Subscriber, date: string) {
  if (frequency !== 'weekly' || first_local_date === null || timezone === null) return false;
  return nextLocalDate({ frequency, weekday, first_local_date, timezone }, date) !== date;
}
