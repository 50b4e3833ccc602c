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

/** Announcements come on top of the text of the day, once for each person. */
export const announcementKind = (messageId: string): string => `announcement:${messageId}`;

/** Plans one zone of one announcement whose time comes there soon; answers whether there was one. */
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

/** A staff send takes the message for itself; under its lock either it or the plan comes first. */
async function planZoneOf(trx: Trx, messageId: string, timezone: string, now: Date): Promise<void> {
  const message = await lockOpenAnnouncement(trx, messageId);
  const plan = message === undefined ? null : planFor(message, timezone, now);
  if (plan === null) return;
  await planZone(trx, plan);
  await markZonePlanned(trx, messageId, timezone, now);
}

/**
 * Plans the announcements of one person whose zone changed or who may get texts again, as far as their zone has been
 * planned without them. One whose window has closed there is not made up for.
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

/** A zone of an announcement that is still to be planned, with the announcement's time there. */
export interface ZoneAhead extends ZonePlan {
  time: string;
}

/** All zones whose turn comes by `until`. */
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

/** A changed or deleted announcement is planned from the start; what was handed over is gone. */
export async function forgetAnnouncementPlan(trx: Trx, messageId: string): Promise<void> {
  await cancelKind(trx, announcementKind(messageId));
  await forgetPlannedZones(trx, messageId);
}

/** Whether an announcement's time has come in each of these zones. */
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
  // Any date that it is somewhere on Earth then, or was within the hours in which an announcement still goes out.
  const date = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  return findOpenAnnouncements(db, date(now.getTime() - 2 * dayMs), date(until.getTime() + dayMs));
}

/** Null while its time there is further ahead than we plan. */
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

/** One that is set for the night, and so never goes out, falls due at the day's end to be recorded as missed. */
function opensAt(message: ScheduledMessage, timezone: string): Date {
  const window =
    windowOf(message, timezone) ?? announcementWindow(message.scheduled_date, '20:59', timezone);
  return new Date(window === null ? 0 : window.opens_at);
}
