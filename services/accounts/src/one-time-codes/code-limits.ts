import { dayMs, minuteMs } from '@daylift/clock/durations';

export const codeLifetimeMs = 10 * minuteMs;
export const triesOfCode = 5;
/** Each code is a text at our cost, to someone who may not have requested it. */
export const codesADay = 5;
export const betweenCodesMs = minuteMs;
/** A newer number may be a thief's, so codes go to the email instead. */
export const youngNumberMs = 3 * dayMs;
