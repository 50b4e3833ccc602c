import { dayMs } from '@daylift/clock/durations';
import type { SenderLoad } from '@daylift/contracts/senders.http';
import { Unavailable } from '@daylift/server/error';
import type { Kysely } from 'kysely';
import { type ZoneAhead, zonesAhead } from '../announcements/announcements.actions.ts';
import { pageOfZone } from '../announcements/announcements.repository.ts';
import { findMessages } from '../contents/contents.repository.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { type Content, chooseContents } from '../dispatches/content-choice.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { asRow, type ForecastText, forecastText, forecastTexts } from './forecast-texts.ts';
import type { Tally } from './forecasts.table.ts';
import { endOfForecast } from './hours.ts';
import { findDispatches, findLongestTemplate, pageOfPopulation } from './population.repository.ts';
import { countGoing, type Going, type Skip, skipOf } from './tally.ts';

const pageSize = 1_000;
type Db = Kysely<SchedulerDatabase>;
type Deps = Pick<SchedulerDeps, 'db' | 'smsGateway' | 'spreadMs'>;

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

interface Page extends Step {
  going: { text: Going; content: Content }[];
}

/** Computes one more page; reads only, and adds to the tally. */
export async function forecastPage(
  { db, smsGateway, spreadMs }: Deps,
  place: Place,
  now: Date,
  tally: Tally,
): Promise<Step> {
  // One snapshot, so the planner's changes are seen entirely or not at all.
  const { going, ...step } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) =>
      place.zones === null
        ? forecastSubscribers(trx, { after: place.after, now, spreadMs })
        : forecastZone(trx, { after: place.after, zones: place.zones, now }),
    );
  const user_ids = [...new Set(going.map(({ text }) => text.dispatch.user_id))];
  const load = await smsGateway.get<SenderLoad>('/internal/sender-load', { user_ids });
  if (load === null)
    throw new Unavailable('The senders are unavailable right now. Please try again.');
  tally.pool = { account_per_second: load.account_per_second, senders: load.senders };
  for (const { text, content } of going) countGoing(tally, text, { content, load, now });
  return step;
}

async function forecastSubscribers(
  db: Db,
  { after, now, spreadMs }: { after: string | null; now: Date; spreadMs: number },
): Promise<Page> {
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
  const found = await withContents(db, forecasts);
  const last = subscribers.at(-1)?.user_id ?? null;
  return subscribers.length < pageSize
    ? { place: { after: null, zones: await zonesAhead(db, now, until) }, ...found }
    : { place: { after: last, zones: null }, ...found };
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
  place: { after: string | null; zones: ZoneAhead[]; now: Date },
): Promise<Page> {
  const [zone, ...others] = place.zones;
  if (zone === undefined) return { place: null, skips: [], going: [] };
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
  const found = await withContents(db, forecasts);
  const last = subscribers.at(-1)?.user_id ?? null;
  return {
    place:
      subscribers.length < pageSize
        ? { after: null, zones: others }
        : { after: last, zones: place.zones },
    ...found,
  };
}

/** Returns the texts with their contents, and the skipped ones. */
async function withContents(
  db: Db,
  forecasts: ForecastText[],
): Promise<Pick<Page, 'going' | 'skips'>> {
  const texts = forecasts.filter((one) => one.is === 'going');
  const template = await findLongestTemplate(db);
  const contents = await chooseContents(
    db,
    texts.map((one) => one.dispatch),
    async (_db, userIds) =>
      new Map(template === undefined ? [] : userIds.map((userId) => [userId, template])),
  );
  const skips = forecasts.flatMap((one) => (one.is === 'ended' ? [skipOf(one)] : []));
  const going: Page['going'] = [];
  for (const text of texts) {
    const content = contents.get(text.dispatch);
    if (content === undefined)
      skips.push(skipOf({ ...text, state: 'missed', reason: 'no content' }));
    else going.push({ text, content });
  }
  return { going, skips };
}

const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
