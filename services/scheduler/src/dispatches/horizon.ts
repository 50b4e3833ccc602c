import { hourMs } from '@daylift/clock/durations';

/** How far ahead texts are planned, so that a planner that is down for a while delays nobody. */
export const horizonMs = 2 * hourMs;
