import { dayMs } from '@daylift/clock/durations';
import type { Kysely } from 'kysely';
import { type ZoneAhead, zonesAhead } from '../announcements/announcements.actions.ts';
import { pageOfZone } from '../announcements/announcements.repository.ts';
import { findMessages } from '../contents/contents.repository.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { chooseContents } from '../dispatches/content-choice.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { asRow, type ForecastText, forecastText, forecastTexts } from './forecast-texts.ts';
import type { Tally } from './forecasts.table.ts';
import { findDispatches, findLongestTemplate, pageOfPopulation } from './population.repository.ts';
import { countGoing, endOfForecast, type Skip, skipOf } from './tally.ts';

const pageSize = 1_000;
type Db = Kysely<SchedulerDatabase>;
type Deps = Pick<SchedulerDeps, 'db' | 'spreadMs'>;

/** Progress of a forecast: through all subscribers, then through announcements without rows. */
export interface Place {
  after: string | null;
  zones: ZoneAhead[] | null;
}

export const beginning: Place = { after: null, zones: null };

export interface Step {
  /** Null when done. */
  place: Place | null;
  skips: Skip[];
}

/** Computes one more page; reads only, and adds to the tally. */
export function forecastPage(
  { db, spreadMs }: Deps,
  place: Place,
  now: Date,
  tally: Tally,
): Promise<Step> {
  // One snapshot, so the planner's changes are seen entirely or not at all.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) =>
      place.zones === null
        ? forecastSubscribers(trx, { after: place.after, now, spreadMs, tally })
        : forecastZone(trx, { after: place.after, zones: place.zones, now, tally }),
    );
}

async function forecastSubscribers(
  db: Db,
  {
    after,
    now,
    spreadMs,
    tally,
  }: { after: string | null; now: Date; spreadMs: number; tally: Tally },
): Promise<Step> {
  const until = endOfForecast(now);
  const subscribers = await pageOfPopulation(db, after, pageSize);
  const inPlan =
    subscribers.length === 0
      ? new Map()
      : await findDispatches(
          db,
          subscribers.map((one) => one.user_id),
          dateOf(now.getTime() - 2 * dayMs),
          dateOf(until.getTime() + dayMs),
        );
  const times = await announcementTimes(db, [...inPlan.values()].flat());
  const forecasts = subscribers.flatMap((one) =>
    forecastTexts(one, inPlan.get(one.user_id) ?? [], times, { now, until, spreadMs }),
  );
  const skips = await addUp(db, forecasts, now, tally);
  const last = subscribers.at(-1)?.user_id ?? null;
  return subscribers.length < pageSize
    ? { place: { after: null, zones: await zonesAhead(db, now, until) }, skips }
    : { place: { after: last, zones: null }, skips };
}

async function announcementTimes(
  db: Db,
  dispatches: { scheduled_message_id: string | null }[],
): Promise<Map<string, string>> {
  const ids = new Set(dispatches.flatMap((one) => one.scheduled_message_id ?? []));
  return new Map((await findMessages(db, [...ids])).map((one) => [one.id, one.scheduled_time]));
}

async function forecastZone(
  db: Db,
  place: { after: string | null; zones: ZoneAhead[]; now: Date; tally: Tally },
): Promise<Step> {
  const [zone, ...others] = place.zones;
  if (zone === undefined) return { place: null, skips: [] };
  const subscribers: Subscriber[] = await pageOfZone(db, zone, place.after, pageSize);
  const forecasts = subscribers.map((one) =>
    forecastText(
      asRow({
        user_id: one.user_id,
        local_date: zone.localDate,
        kind: zone.kind,
        due_at: zone.dueAt,
        timezone: zone.timezone,
        scheduled_message_id: zone.messageId,
      }),
      one,
      zone.time,
      place.now,
    ),
  );
  const skips = await addUp(db, forecasts, place.now, place.tally);
  const last = subscribers.at(-1)?.user_id ?? null;
  return {
    place:
      subscribers.length < pageSize
        ? { after: null, zones: others }
        : { after: last, zones: place.zones },
    skips,
  };
}

/** Counts texts by content and returns the skipped ones. */
async function addUp(db: Db, forecasts: ForecastText[], now: Date, tally: Tally): Promise<Skip[]> {
  const going = forecasts.filter((one) => one.is === 'going');
  const template = await findLongestTemplate(db);
  const contents = await chooseContents(
    db,
    going.map((one) => one.dispatch),
    async (_db, userIds) =>
      new Map(template === undefined ? [] : userIds.map((userId) => [userId, template])),
  );
  const skips = forecasts.flatMap((one) => (one.is === 'ended' ? [skipOf(one)] : []));
  for (const one of going) {
    const content = contents.get(one.dispatch);
    if (content === undefined)
      skips.push(skipOf({ ...one, state: 'missed', reason: 'no content' }));
    else countGoing(tally, one, content, now);
  }
  return skips;
}

const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
