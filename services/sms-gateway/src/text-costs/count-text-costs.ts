import { dayMs } from '@daylift/clock/durations';
import { smsEvents } from '@daylift/contracts/sms.events';
import { runAlone } from '@daylift/database/advisory-locks';
import { publish } from '@daylift/events/publish';
import type { SmsDeps } from '../deps.ts';
import {
  type CostGroup,
  findCosts,
  hasCosts,
  replaceCosts,
  sumCosts,
} from './text-costs.repository.ts';

/** Receipts can arrive days later. */
const recountedDays = 4;
/** Days that the first run counts. */
const firstDays = 62;

/**
 * Sums the cost of the last days' texts by country of the number, and publishes days that changed. Runs in one process
 * at a time. Returns how many days changed.
 */
export function countTextCosts({ db, clock }: Pick<SmsDeps, 'db' | 'clock'>): Promise<number> {
  return runAlone(db, 'count_text_costs', async (trx) => {
    const now = clock.now();
    const days = (await hasCosts(trx)) ? recountedDays : firstDays;
    const since = new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
    const counted = byDate(await byCountry(await sumCosts(trx, since)));
    const stored = byDate(await findCosts(trx, since));
    let changed = 0;
    for (const [date, countries] of counted) {
      if (isSame(countries, stored.get(date) ?? [])) continue;
      await replaceCosts(trx, date, countries);
      const counts = { date, counted_at: now.toISOString(), countries };
      await publish(trx, smsEvents, 'sms.costs.counted', counts, now);
      changed += 1;
    }
    return changed;
  });
}

interface CountryCost {
  country: string;
  texts: number;
  cost: string;
}

async function byCountry(groups: CostGroup[]): Promise<(CountryCost & { date: string })[]> {
  // Loaded on demand: the numbering plans are large.
  const { countryOf } = await import('@daylift/server/phone-number');
  const totals = new Map<string, { date: string; country: string; texts: number; units: number }>();
  for (const { date, number, texts, units } of groups) {
    const country = number === null ? 'unknown' : countryOf(number);
    const total = totals.get(`${date} ${country}`) ?? { date, country, texts: 0, units: 0 };
    total.texts += texts;
    total.units += units;
    totals.set(`${date} ${country}`, total);
  }
  return [...totals.values()]
    .map(({ units, ...total }) => ({ ...total, cost: decimal(units) }))
    .toSorted((one, other) => one.country.localeCompare(other.country));
}

const decimal = (units: number): string =>
  `${Math.floor(units / 100_000)}.${String(units % 100_000).padStart(5, '0')}`;

function byDate(rows: (CountryCost & { date: string })[]): Map<string, CountryCost[]> {
  const dates = new Map<string, CountryCost[]>();
  for (const { date, country, texts, cost } of rows)
    dates.set(date, [...(dates.get(date) ?? []), { country, texts, cost }]);
  return dates;
}

const isSame = (one: CountryCost[], other: CountryCost[]): boolean =>
  one.length === other.length &&
  one.every(({ country, texts, cost }) =>
    other.some((row) => row.country === country && row.texts === texts && row.cost === cost),
  );
