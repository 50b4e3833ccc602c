import type { Business, BusinessFigure, Cohort } from '@daylift/contracts/business.http';
import { formatCount, formatMoney } from '@daylift/ui/formats';

type Unit = BusinessFigure['unit'];

export function inWords(value: number | null, unit: Unit, currency: string): string {
  if (value === null) return '–';
  if (unit === 'cents') return formatMoney(value, currency);
  return unit === 'percent' ? `${value}%` : formatCount(value);
}

/** Returns the change since the range before: in percent, or in percentage points for a percentage. */
export function changeInWords({
  value,
  previous,
  unit,
}: Pick<BusinessFigure, 'value' | 'previous' | 'unit'>): string {
  if (value === null || previous === null) return '–';
  const change = value - previous;
  if (unit === 'percent') return `${signed(change)} points`;
  if (change === 0) return 'No change';
  return previous === 0 ? 'New' : `${signed((change / Math.abs(previous)) * 100)}%`;
}

/** Returns the share still paying at a month's end, or '–' if no one had paid yet, as during the trials. */
export function retentionInWords(
  { paid, paying }: Pick<Cohort, 'paid' | 'paying'>,
  month: number,
): string {
  const count = paying[month];
  if (count === undefined) return '';
  // The previous version of billing has 0 where null is now.
  return count === null || paid === 0 ? '–' : `${Math.round((count / paid) * 100)}%`;
}

function signed(change: number): string {
  const rounded = Math.round(change * 10) / 10;
  return `${rounded > 0 ? '+' : ''}${rounded}`;
}

const plain = (value: number | null, unit: Unit): string | number =>
  value === null ? '' : unit === 'cents' ? (value / 100).toFixed(2) : value;

/** A text that a spreadsheet would take for a formula gets an apostrophe. */
function cell(value: string | number): string {
  const isAmount = /^-?\d+\.\d\d$/.test(String(value));
  const text =
    typeof value === 'string' && !isAmount && /^[=+\-@\t\r]/.test(value)
      ? `'${value}`
      : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the page as CSV: figures, then countries, then cohorts. Amounts are in units of the currency. */
export function toCsv({
  from,
  to,
  previous,
  currency,
  figures,
  by_country,
  cohorts,
}: Business): string {
  const longest = Math.max(0, ...cohorts.map(({ paying }) => paying.length));
  const months = Array.from({ length: longest }, (_, index) => `paying_month_${index}`);
  const rows: (string | number)[][] = [
    ['figure', 'unit', `${from} to ${to}`, `${previous.from} to ${previous.to}`],
    ...figures.map((one) => [
      one.name,
      one.unit === 'cents' ? currency : one.unit,
      plain(one.value, one.unit),
      plain(one.previous, one.unit),
    ]),
    [],
    [
      'country',
      'paying',
      'revenue',
      'texts',
      'text_cost',
      'text_cost_per_paying',
      'margin_percent',
    ],
    ...by_country.map((one) => [
      one.country,
      one.paying,
      plain(one.revenue_cents, 'cents'),
      one.texts,
      plain(one.text_cost_cents, 'cents'),
      plain(one.cost_per_paying_cents, 'cents'),
      plain(one.margin_percent, 'percent'),
    ]),
    [],
    ['signup_month', 'signups', 'paid', ...months],
    ...cohorts.map(({ month, signups, paid, paying }) => [
      month,
      signups,
      paid,
      ...paying.map((count) => count ?? ''),
    ]),
  ];
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
