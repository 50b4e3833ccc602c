import type { Business, Cohort, CountryFigures } from '@daylift/contracts/business.http';
import { type Currency, defaultCurrency } from '@daylift/contracts/plans';
import { findUsedCurrencies } from '../customers/currency.ts';
import type { BillingDeps } from '../deps.ts';
import {
  type CountryFacts,
  type Facts,
  type Period,
  readCohortChanges,
  readCohortSizes,
  readCountries,
  readFacts,
} from './business.repository.ts';
import { type DayRange, daysOf, rangeBefore, startOf } from './business-range.ts';
import { figures } from './figures.ts';

const maxCohorts = 12;

type Deps = Pick<
  BillingDeps,
  'db' | 'clock' | 'catalogues' | 'countryCurrencies' | 'operatorTimeZone'
>;

/** Returns the figures of a range and of the one before it. */
export async function readBusiness(
  deps: Deps,
  range: DayRange,
  currency: Currency = defaultCurrency,
): Promise<Business> {
  const { db, clock } = deps;
  const currencies = await findUsedCurrencies(db, deps);
  const period = periodOf(deps, range, currency);
  const before = rangeBefore(range);
  const [now, previous, countries, cohorts] = await Promise.all([
    readFacts(db, period),
    readFacts(db, periodOf(deps, before, currency)),
    readCountries(db, period),
    readCohorts(deps, range),
  ]);
  return {
    ...textOf(range),
    previous: textOf(before),
    currency,
    currencies,
    as_of: clock.now().toISOString(),
    figures: compare(now, previous),
    by_country: countries.map((facts) => withShares(facts, now.own_text_cost !== null)),
    cohorts,
  };
}

export const compare = (now: Facts, before: Facts): Business['figures'] =>
  figures.map(({ of, ...figure }) => ({ ...figure, value: of(now), previous: of(before) }));

const textOf = ({ from, to }: DayRange) => ({ from: from.toString(), to: to.toString() });

export const periodOf = (
  { operatorTimeZone }: Pick<BillingDeps, 'operatorTimeZone'>,
  range: DayRange,
  currency: Currency,
): Period => ({
  ...textOf(range),
  start: startOf(range.from, operatorTimeZone),
  end: startOf(range.to.add({ days: 1 }), operatorTimeZone),
  days: daysOf(range),
  currency,
});

function withShares(facts: CountryFacts, hasOwnCost: boolean): CountryFigures {
  const { paying, revenue_cents, text_cost_cents } = facts;
  if (text_cost_cents === null || !hasOwnCost)
    return { ...facts, cost_per_paying_cents: null, margin_percent: null };
  const share = (revenue_cents - text_cost_cents) / revenue_cents;
  return {
    ...facts,
    cost_per_paying_cents: paying === 0 ? null : Math.round(text_cost_cents / paying),
    margin_percent: revenue_cents <= 0 ? null : Math.round(share * 1_000) / 10,
  };
}

/** The cohorts of the last months, to the end of the range: people of every currency. */
async function readCohorts({ db, operatorTimeZone }: Deps, { to }: DayRange): Promise<Cohort[]> {
  const months = Array.from({ length: maxCohorts }, (_, index) =>
    to.toPlainYearMonth().subtract({ months: maxCohorts - 1 - index }),
  );
  const starts = months.map((month) => month.toPlainDate({ day: 1 }));
  const bounds = [...starts, to.add({ days: 1 })].map((date) => startOf(date, operatorTimeZone));
  const [sizes, changes] = await Promise.all([
    readCohortSizes(db, bounds),
    readCohortChanges(db, bounds),
  ]);
  return sizes
    .toSorted((one, other) => one.month - other.month)
    .map(({ month, signups, paid }) => {
      let paying: number | null = null;
      return {
        month: months[month]?.toString() ?? '',
        signups,
        paid,
        paying: months.slice(month).map((_, index) => {
          const found = changes.find((one) => one.month === month && one.changed === month + index);
          if (found) paying = (paying ?? 0) + found.change;
          return paying;
        }),
      };
    });
}
