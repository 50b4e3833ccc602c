/** T-Mobile's time zone, used for every sender. */
const zone = 'America/Los_Angeles';

/** Returns the carriers' date at an instant. Daily limits use it. */
export const carrierDay = (at: Date): string =>
  at.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate().toString();

/** Returns the start of the carriers' next day. */
export function nextCarrierDay(now: Date): Date {
  const carrierTime = now.toTemporalInstant().toZonedDateTimeISO(zone);
  return new Date(carrierTime.add({ days: 1 }).startOfDay().epochMilliseconds);
}
