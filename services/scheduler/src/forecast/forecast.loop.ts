import { randomUUID } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { beginning, forecastPage, type Place } from './forecast.ts';
import {
  claimForecast,
  findForecasts,
  finishForecast,
  forgetSkips,
  keepClaim,
  requestForecast,
  saveSkips,
} from './forecasts.repository.ts';
import type { Tally } from './forecasts.table.ts';
import { emptyTally } from './tally.ts';

/** Computing a forecast costs about as much as an hour's plan. */
const staleMs = 3 * hourMs;

/** Requests a forecast every few hours for the metric, without anyone reading the page. */
export const requestForecastLoop = ({ db, clock }: SchedulerDeps): Loop => ({
  name: 'request-forecast',
  everyMs: 10 * minuteMs,
  settleEveryMs: dayMs,
  run: async () => {
    const { last, running } = await findForecasts(db);
    const now = clock.now();
    const isFresh = last !== undefined && now.getTime() - last.as_of.getTime() < staleMs;
    if (running !== undefined || isFresh) return 0;
    await requestForecast(db, { id: randomUUID(), as_of: now, started_at: new Date() });
    return 1;
  },
});

/** Wall clock; many times what a page takes. */
const leaseMs = 15_000;

/** A forecast claimed by this process. */
interface Running {
  id: string;
  token: string;
  now: Date;
  place: Place;
  tally: Tally;
}

/** Computes the requested forecast page by page, so it blocks no other task. */
export function forecastLoop(deps: SchedulerDeps): Loop {
  let running: Running | null = null;
  return {
    name: 'forecast',
    everyMs: 500,
    run: async () => {
      running ??= await claim(deps);
      if (running === null) return 0;
      const current = running;
      // After a failure the next run, here or in another process, starts over once the lease expires.
      running = null;
      running = await continueForecast(deps, current);
      return 1;
    },
  };
}

function claim({ db, clock }: SchedulerDeps): Promise<Running | null> {
  const token = randomUUID();
  const wall = new Date();
  return db.transaction().execute(async (trx) => {
    const claimed = await claimForecast(trx, {
      token,
      as_of: clock.now(),
      lease_until: new Date(wall.getTime() + leaseMs),
      wall,
    });
    if (claimed === undefined) return null;
    await forgetSkips(trx, claimed.id);
    return { id: claimed.id, token, now: claimed.as_of, place: beginning, tally: emptyTally() };
  });
}

async function continueForecast(deps: SchedulerDeps, running: Running): Promise<Running | null> {
  const { db } = deps;
  const { place, skips } = await forecastPage(deps, running.place, running.now, running.tally);
  const wall = new Date();
  const isClaimed = await keepClaim(db, running, {
    lease_until: new Date(wall.getTime() + leaseMs),
    progress: progressAt(place),
  });
  if (!isClaimed) return null;
  await saveSkips(db, running.id, skips);
  if (place !== null) return { ...running, place };
  await db.transaction().execute((trx) => finishForecast(trx, running, running.tally, new Date()));
  return null;
}

/** Ids are random, so the last one shows the share of subscribers done. */
function progressAt(place: Place | null): number {
  if (place === null) return 100;
  if (place.zones !== null) return 95;
  const reach = Number.parseInt((place.after ?? '0').slice(0, 4), 16) / 0x1_0000;
  return Math.min(95, Math.round(reach * 95));
}
