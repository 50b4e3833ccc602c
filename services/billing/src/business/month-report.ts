import { billingEvents } from '@daylift/contracts/billing.events';
import type { BusinessFigure } from '@daylift/contracts/business.http';
import { type Currency, defaultCurrency } from '@daylift/contracts/plans';
import { publish } from '@daylift/events/publish';
import type { Loop } from '@daylift/server/loops';
import { findUsedCurrencies } from '../customers/currency.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { readFacts } from './business.repository.ts';
import type { DayRange } from './business-range.ts';
import { addMonthReport, hasMonthReports } from './month-reports.repository.ts';
import { compare, periodOf } from './read-business.ts';

/** Hour on the first of the next month. By then, late receipts and overnight renewals are in. */
const dueHour = 8;

type Deps = Pick<
  BillingDeps,
  'db' | 'clock' | 'catalogues' | 'countryCurrencies' | 'operatorTimeZone'
>;

/** Publishes each month's figures once, for the email to owners. */
export function createMonthReportLoop(deps: Deps): Loop {
  let published = '';
  return {
    name: 'month-report',
    everyMs: 60_000,
    async run() {
      const month = openMonth(deps).toPlainDate().toPlainYearMonth().subtract({ months: 1 });
      if (month.toString() === published) return 0;
      const count = await publishMonth(deps, month);
      published = month.toString();
      return count;
    },
    nextAt: async () => new Date(nextDue(deps).epochMilliseconds),
  };
}

async function publishMonth(deps: Deps, month: Temporal.PlainYearMonth): Promise<number> {
  const { db, clock } = deps;
  const now = clock.now();
  const name = month.toString();
  return db.transaction().execute(async (trx) => {
    // A new installation has no figures for the previous month.
    const isFirst = !(await hasMonthReports(trx));
    if (!(await addMonthReport(trx, name, now)) || isFirst) return 0;
    const figures = [];
    const currencies = await findUsedCurrencies(trx, deps);
    for (const currency of currencies)
      figures.push(...(await figuresOf(trx, deps, month, currency)));
    await publish(trx, billingEvents, 'billing.month.closed', { month: name, figures }, now);
    return 1;
  });
}

/**
 * Returns a month's figures in one currency. For currencies other than the default, names start with the currency and
 * figures that can't be computed are omitted.
 */
async function figuresOf(
  trx: Trx,
  deps: Deps,
  month: Temporal.PlainYearMonth,
  currency: Currency,
): Promise<{ name: string; value: string; previous: string }[]> {
  const before = month.subtract({ months: 1 });
  const [now, then] = [
    await readFacts(trx, periodOf(deps, rangeOf(month), currency)),
    await readFacts(trx, periodOf(deps, rangeOf(before), currency)),
  ];
  const isDefault = currency === defaultCurrency;
  return compare(now, then)
    .filter(({ value, previous }) => isDefault || value !== null || previous !== null)
    .map((figure) => ({
      name: isDefault ? figure.name : `${figure.name} (${currency.toUpperCase()})`,
      value: write(figure.value, figure, currency),
      previous: write(figure.previous, figure, currency),
    }));
}

/** Returns the current time less the due hour, so its month changes when the last month's report is due. */
const openMonth = ({ clock, operatorTimeZone }: Deps): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(clock.now().getTime())
    .toZonedDateTimeISO(operatorTimeZone)
    .subtract({ hours: dueHour });

const nextDue = (deps: Deps): Temporal.ZonedDateTime =>
  openMonth(deps).with({ day: 1 }).startOfDay().add({ months: 1 }).add({ hours: dueHour });

const rangeOf = (month: Temporal.PlainYearMonth): DayRange => ({
  from: month.toPlainDate({ day: 1 }),
  to: month.toPlainDate({ day: month.daysInMonth }),
});

function write(
  value: number | null,
  { unit }: Pick<BusinessFigure, 'unit'>,
  currency: string,
): string {
  if (value === null) return 'n/a';
  if (unit === 'percent') return `${value}%`;
  if (unit === 'count') return new Intl.NumberFormat('en-US').format(value);
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(value / 100);
}
