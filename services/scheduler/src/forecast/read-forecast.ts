import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Forecast, ForecastSkips, ForecastSkipsQuery } from '@daylift/contracts/forecast.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { timesDecimal } from '@daylift/delivery/times-decimal';
import { findMessagesOfDates } from '../contents/content-choice.repository.ts';
import type { SchedulerDeps } from '../deps.ts';
import { readPrice } from '../manual-sends/read-price.ts';
import { nameSubscribers } from '../undelivered/name-subscribers.ts';
import { findForecasts, findSkips, requestForecast } from './forecasts.repository.ts';
import type { StoredForecast } from './forecasts.table.ts';
import { startOfHour } from './hours.ts';

/** A younger result of the same hour is fresh; a slow computation may make it older. */
const freshMs = 30_000;
const freshPerCost = 10;

/** Returns the last forecast, and requests a new one if it is stale. */
export async function readForecast(deps: SchedulerDeps, hours: number): Promise<Forecast> {
  const { db } = deps;
  const [price, { last, running }] = await Promise.all([readPrice(deps), findForecasts(db)]);
  const wanted = running === undefined && !isFresh(last, deps.clock.now());
  if (wanted)
    await requestForecast(db, {
      id: randomUUID(),
      as_of: deps.clock.now(),
      started_at: new Date(),
    });
  const view = last === undefined ? emptyView : await viewOf(deps, last, hours, price);
  return {
    ...view,
    progress: running?.progress ?? (wanted ? 0 : null),
    currency: price.currency,
    rate_per_second: price.rate_per_second,
  };
}

type View = Pick<Forecast, 'as_of' | 'hours' | 'days' | 'skipped'>;
const emptyView: View = { as_of: null, hours: [], days: [], skipped: [] };

function isFresh(last: StoredForecast | undefined, now: Date): boolean {
  if (last === undefined || last.finished_at === null) return false;
  if (startOfHour(last.as_of) !== startOfHour(now)) return false;
  const tookMs = last.finished_at.getTime() - last.started_at.getTime();
  const age = now.getTime() - last.as_of.getTime();
  return age < Math.max(freshMs, freshPerCost * tookMs);
}

async function viewOf(
  { db }: SchedulerDeps,
  { as_of, result }: StoredForecast,
  hours: number,
  price: { per_part: string },
): Promise<View> {
  if (result === null) return emptyView;
  const dates = Object.keys(result.days).toSorted();
  const messages = await findMessagesOfDates(db, dates);
  return {
    as_of: as_of.toISOString(),
    hours: result.hours.slice(0, hours).map(({ texts, parts, ...drained }, index) => ({
      starts_at: new Date(startOfHour(as_of) + index * hourMs).toISOString(),
      people: texts,
      estimated_cost: timesDecimal(price.per_part, parts),
      ...drained,
    })),
    days: dates.map((date) => ({
      date,
      ...result.days[date]!,
      has_message: messages.some((one) => one.scheduled_date === date),
    })),
    skipped: Object.entries(result.skips).map(([key, people]) => ({
      key,
      words: reasonInWords(key.slice(key.indexOf(':') + 1)) ?? '',
      people,
    })),
  };
}

/** Returns who would be skipped for a reason, per the last forecast. */
export async function readForecastSkips(
  deps: SchedulerDeps,
  { reason, cursor, limit }: ForecastSkipsQuery,
  role: AdminRole,
): Promise<ForecastSkips> {
  const { last } = await findForecasts(deps.db);
  if (last === undefined) return { people: [], next: null };
  const page = { key: reason, after: cursor, limit: limit + 1 };
  const rows = await findSkips(deps.db, last.id, page);
  const shown = rows.slice(0, limit);
  return {
    people: (await nameSubscribers(deps.accounts, shown, role)).map((one) => ({
      ...one,
      due_at: one.due_at.toISOString(),
    })),
    next: rows.length > limit ? (shown.at(-1)?.user_id ?? null) : null,
  };
}
