/** Formats instants for operators, in the subscriber's time zone. */
const inZone = (options: Intl.DateTimeFormatOptions, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone });

/** `9:04 AM` */
export const timeOf = (instant: Date | string, timeZone: string): string =>
  inZone({ hour: 'numeric', minute: '2-digit' }, timeZone).format(new Date(instant));

/** `Apr 5, 2027` */
export const dayOf = (instant: Date | string, timeZone: string): string =>
  inZone({ year: 'numeric', month: 'short', day: 'numeric' }, timeZone).format(new Date(instant));

/** `Apr 5, 2027 at 9:04 AM` */
export const momentOf = (instant: Date | string, timeZone: string): string =>
  `${dayOf(instant, timeZone)} at ${timeOf(instant, timeZone)}`;

/** `2027-04-05` as `Apr 5, 2027`. */
export const dateInWords = (localDate: string): string => dayOf(`${localDate}T12:00:00Z`, 'UTC');

/** 9 becomes `9:00 AM`. */
export const hourInWords = (hour: number): string =>
  `${hour % 12 === 0 ? 12 : hour % 12}:00 ${hour < 12 ? 'AM' : 'PM'}`;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** ISO weekday, Monday is 1. */
export const weekdayInWords = (weekday: number): string => weekdays[weekday - 1] ?? '';

export const zoneInWords = (timeZone: string): string => timeZone.replaceAll('_', ' ');

export const moneyInWords = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(
    cents / 100,
  );
