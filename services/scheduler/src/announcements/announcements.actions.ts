import { dayMs } from '@daylift/clock/durations';
import { announcementWindow } from '@daylift/delivery/send-windows';
import type { Kysely, Transaction } from 'kysely';
import { findOpenAnnouncements } from '../contents/contents.repository.ts';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';
import { cancelKind, cancelPlanned } from '../dispatches/dispatches.repository.ts';
import { horizonMs } from '../dispatches/horizon.ts';
import { listZones } from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import {
  findPlannedZones,
  forgetPlannedZones,
  lockOpenAnnouncement,
  markZonePlanned,
  planZone,
  type ZonePlan,
} from './announcements.repository.ts';

type Trx = Transaction<SchedulerDatabase>;

/** An announcement comes in addition to the day's text, once per subscriber. */
export const announcementKind = (messageId: string): string => `announcement:${messageId}`;

/** Plans one time zone of one announcement that is due there soon. Returns whether there was one. */
export async function planNextZone(
  db: Kysely<SchedulerDatabase>,
  zones: string[],
  now: Date,
): Promise<boolean> {
  for (const message of await openAnnouncements(db, now)) {
    const planned = await findPlannedZones(db, message.id);
    const timezone = zones.find(
      (zone) => !planned.has(zone) && planFor(message, zone, now) !== null,
    );
    if (timezone === undefined) continue;
    await db.transaction().execute((trx) => planZoneOf(trx, message.id, timezone, now));
    return true;
  }
  return false;
}

/** A manual send also locks the message, so either it or the plan comes first. */
async function planZoneOf(trx: Trx, messageId: string, timezone: string, now: Date): Promise<void> {
  const message = await lockOpenAnnouncement(trx, messageId);
  const plan = message === undefined ? null : planFor(message, timezone, now);
  if (plan === null) return;
  await planZone(trx, plan);
  await markZonePlanned(trx, messageId, timezone, now);
}

/**
 * Plans the announcements for a subscriber who changed zones or may get texts again, if the zone was already planned
 * without them. An announcement with a closed window is not sent late.
 */
export async function planAnnouncementsOf(
  trx: Trx,
  subscriber: Subscriber,
  now: Date,
  options: { withdraw: boolean },
): Promise<void> {
  if (subscriber.timezone === null) return;
  for (const { id } of await openAnnouncements(trx, now)) {
    const message = await lockOpenAnnouncement(trx, id);
    if (message === undefined) continue;
    if (options.withdraw) await cancelPlanned(trx, subscriber.user_id, announcementKind(id));
    const plan = planFor(message, subscriber.timezone, now);
    if (plan?.isOpen) await planZone(trx, plan, subscriber.user_id);
  }
}

/** A zone of an announcement still to be planned, with the announcement's time there. */
export interface ZoneAhead extends ZonePlan {
  time: string;
}

/** Returns all zones due by `until`. */
export async function zonesAhead(
  db: Kysely<SchedulerDatabase>,
  now: Date,
  until: Date,
): Promise<ZoneAhead[]> {
  const zones = await listZones(db);
  const ahead: ZoneAhead[] = [];
  for (const message of await openAnnouncements(db, now, until)) {
    const planned = await findPlannedZones(db, message.id);
    for (const zone of zones.filter((one) => !planned.has(one))) {
      const plan = planFor(message, zone, now, until);
      if (plan !== null) ahead.push({ ...plan, time: message.scheduled_time });
    }
  }
  return ahead;
}

/** Plans a changed or deleted announcement from the start. */
export async function forgetAnnouncementPlan(trx: Trx, messageId: string): Promise<void> {
  await cancelKind(trx, announcementKind(messageId));
  await forgetPlannedZones(trx, messageId);
}

/** Returns whether an announcement's time has come in each of these zones. */
export function hasOpenedEverywhere(
  message: ScheduledMessage,
  zones: string[],
  now: Date,
): boolean {
  return zones.every((zone) => opensAt(message, zone) <= now);
}

function openAnnouncements(
  db: Kysely<SchedulerDatabase>,
  now: Date,
  until = now,
): Promise<ScheduledMessage[]> {
  // Any date that exists somewhere on earth then, or did within the hours in which an announcement may still be sent.
  const date = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  return findOpenAnnouncements(db, date(now.getTime() - 2 * dayMs), date(until.getTime() + dayMs));
}

/** Returns null while its time there is beyond the planning horizon. */
function planFor(
  message: ScheduledMessage,
  timezone: string,
  now: Date,
  until = new Date(now.getTime() + horizonMs),
): ZonePlan | null {
  const dueAt = opensAt(message, timezone);
  if (dueAt > until) return null;
  const window = windowOf(message, timezone);
  return {
    messageId: message.id,
    localDate: message.scheduled_date,
    kind: announcementKind(message.id),
    timezone,
    dueAt,
    isOpen: window !== null && new Date(window.closes_at) > now,
  };
}

const windowOf = (message: ScheduledMessage, timezone: string) =>
  announcementWindow(message.scheduled_date, message.scheduled_time, timezone);

/** One scheduled in quiet hours is never sent; it falls due at the end of the day to be recorded as missed. */
function opensAt(message: ScheduledMessage, timezone: string): Date {
  const window =
    windowOf(message, timezone) ?? announcementWindow(message.scheduled_date, '20:59', timezone);
  return new Date(window === null ? 0 : window.opens_at);
}
