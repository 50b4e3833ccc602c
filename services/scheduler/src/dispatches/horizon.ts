import { hourMs } from '@daylift/clock/durations';

/** How far ahead texts are planned, so a short planner outage delays no one. */
export const horizonMs = 2 * hourMs;
