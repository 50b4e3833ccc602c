const locale = 'en-US';

export const formatMoney = (cents: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: currency.toUpperCase() }).format(
    cents / 100,
  );

const costInWords = (amount: string | number, currency: string, prefix: string): string => {
  const cents = Number(amount) * 100;
  return cents > 0 && cents < 0.5
    ? `less than ${formatMoney(1, currency)}`
    : `${prefix}${formatMoney(cents, currency)}`;
};

/** Formats a cost to the cent: `$1,234.50`, or `less than $0.01`. */
export const formatCost = (amount: string | number, currency: string): string =>
  costInWords(amount, currency, '');

/** `about $1,234.50`, or `less than $0.01` */
export const formatEstimate = (amount: string | number, currency: string): string =>
  costInWords(amount, currency, 'about ');

/** Formats the price of one text with three decimals: `0.016` of `USD` becomes `$0.016`. */
export const formatTextPrice = (amount: string | number, currency: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
  }).format(Number(amount));

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const formatCount = (count: number): string => new Intl.NumberFormat(locale).format(count);

/** `1 day`, `2,000 days` */
export const formatDays = (days: number): string =>
  days === 1 ? '1 day' : `${formatCount(days)} days`;

/** `1.2K`, `3M` */
export const formatShortCount = (count: number): string =>
  new Intl.NumberFormat(locale, { notation: 'compact' }).format(count);

/** `09:00` becomes `9:00 AM`; other values are unchanged. */
export const formatHour = (time: string): string => {
  const match = /^([01]\d|2[0-3]):([0-5]\d)/.exec(time);
  if (!match) return time;
  const hour = Number(match[1]);
  return `${hour % 12 === 0 ? 12 : hour % 12}:${match[2]} ${hour < 12 ? 'AM' : 'PM'}`;
};

export const fullHours = Array.from(
  { length: 24 },
  (_, hour) => `${String(hour).padStart(2, '0')}:00`,
);

export const dayPart = (hour: number): 'Late Night' | 'Morning' | 'Afternoon' | 'Evening' => {
  if (hour < 6) return 'Late Night';
  if (hour < 12) return 'Morning';
  return hour < 17 ? 'Afternoon' : 'Evening';
};

export const formatZone = (zone: string): string => zone.replaceAll('_', ' ');

/** Returns the city of a zone: `America/New_York` becomes `New York`. */
export const formatZoneCity = (zone: string): string => formatZone(zone).split('/').at(-1) ?? zone;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Falls back to the browser's zone if it doesn't support the given one. Reuses formatters, which are slow to create. */
const formatterFor = (
  options: Intl.DateTimeFormatOptions,
  timeZone: string | undefined,
): Intl.DateTimeFormat => {
  const key = JSON.stringify([options, timeZone]);
  const create = (): Intl.DateTimeFormat => {
    try {
      return new Intl.DateTimeFormat(locale, { ...options, ...(timeZone ? { timeZone } : {}) });
    } catch {
      return new Intl.DateTimeFormat(locale, options);
    }
  };
  const formatter = formatters.get(key) ?? create();
  formatters.set(key, formatter);
  return formatter;
};

const format = (
  instant: string,
  options: Intl.DateTimeFormatOptions,
  timeZone?: string,
): string => {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return instant;
  return formatterFor(options, timeZone).format(date);
};

/** `Mar 20, 2027`, in the given zone or the browser's. */
export const formatDay = (instant: string, timeZone?: string): string =>
  format(instant, { year: 'numeric', month: 'short', day: 'numeric' }, timeZone);

/** `Mar 20, 2027, 9:04 AM` */
export const formatDayAndTime = (instant: string, timeZone?: string): string =>
  format(
    instant,
    { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZone,
  );

/** `Mar 20, 9:04 AM EST`, with the year if it isn't the current one. */
export const formatInstant = (instant: string, now: string, timeZone?: string): string => {
  const year = (of: string) => format(of, { year: 'numeric' }, timeZone);
  return format(
    instant,
    {
      ...(year(instant) !== year(now) && { year: 'numeric' }),
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    },
    timeZone,
  );
};

/** `9:04 AM EST` */
export const formatTimeInZone = (instant: string, timeZone?: string): string =>
  format(instant, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }, timeZone);

/** `Saturday, March 20, 2027 at 9:04:12 AM EST` */
export const formatExactInstant = (instant: string, timeZone?: string): string =>
  format(instant, { dateStyle: 'full', timeStyle: 'long' }, timeZone);

const weekdayAndDay = (instant: string, timeZone?: string, now = instant): string => {
  const year = (of: string) => format(of, { year: 'numeric' }, timeZone);
  return format(
    instant,
    {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      ...(year(instant) !== year(now) && { year: 'numeric' }),
    },
    timeZone,
  );
};

/** `9:00 AM`: texts are promised for an hour, not a minute. */
export const formatFullHour = (instant: string, timeZone?: string): string =>
  formatHour(`${format(instant, { hour: '2-digit', hourCycle: 'h23' }, timeZone)}:00`);

/** `Saturday, March 20 at 9:00 AM`, with the year if it differs from the year of `now`. */
export const formatDayAndFullHour = (instant: string, timeZone?: string, now?: string): string =>
  `${weekdayAndDay(instant, timeZone, now)} at ${formatFullHour(instant, timeZone)}`;

/** `2027-03-20` */
export const localDateOf = (instant: string, timeZone?: string): string => {
  const [month, day, year] = format(
    instant,
    { year: 'numeric', month: '2-digit', day: '2-digit' },
    timeZone,
  ).split('/');
  return `${year}-${month}-${day}`;
};

/** Returns the instant at which a date starts in a zone, or undefined if it isn't a date. */
export const startOfDate = (date: string, timeZone?: string): string | undefined => {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight)) return undefined;
  const clock = formatterFor(
    { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' },
    timeZone,
  );
  const offset = (instant: number) => Date.parse(`${clock.format(instant)} UTC`) - instant;
  return new Date(midnight - offset(midnight - offset(midnight))).toISOString();
};

export const formatMonth = (month: string): string =>
  format(`${month}-15T12:00:00Z`, { year: 'numeric', month: 'long' }, 'UTC');

/** `2027-03-20` becomes `Saturday, March 20, 2027`. */
export const formatWholeDate = (date: string): string =>
  format(
    `${date}T12:00:00Z`,
    { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
    'UTC',
  );

/** `2027-03-20` becomes `Mar 20, 2027`. */
export const formatLocalDate = (date: string): string => formatDay(`${date}T12:00:00Z`, 'UTC');

/** `2027-03-20` becomes `Mar 20`. */
export const formatMonthDay = (date: string): string =>
  format(`${date}T12:00:00Z`, { month: 'short', day: 'numeric' }, 'UTC');

/** `+18885550100` becomes `+1 888-555-0100`; other countries' numbers are unchanged. */
export const formatPhone = (number: string): string =>
  number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1-$2-$3');

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** ISO weekday, Monday is 1. */
export const formatWeekday = (weekday: number): string => weekdays[weekday - 1] ?? '';
