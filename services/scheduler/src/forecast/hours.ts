import { hourMs } from '@daylift/clock/durations';

export const forecastHours = 48;

export const startOfHour = (instant: Date): number =>
  Math.floor(instant.getTime() / hourMs) * hourMs;

/** End of the forecast period. */
export const endOfForecast = (now: Date): Date =>
  new Date(startOfHour(now) + forecastHours * hourMs);
