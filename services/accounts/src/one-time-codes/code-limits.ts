import { dayMs, minuteMs } from '@daylift/clock/durations';

/** How long a code is good for. */
export const codeLifetimeMs = 10 * minuteMs;
export const triesOfCode = 5;
/** Each code is a text at our cost, to somebody who may not have asked for it. */
export const codesADay = 5;
export const betweenCodesMs = minuteMs;
/** A number that is newer than this may be a thief's: its owner is asked where they can still be reached. */
export const youngNumberMs = 3 * dayMs;
