import type { Clock } from '@daylift/clock/clock';

export interface FixedClock extends Clock {
  set(instant: string): void;
  advance(duration: { hours?: number; minutes?: number; seconds?: number }): void;
}

export function createFixedClock(instant: string): FixedClock {
  let now = new Date(instant);
  return {
    now: () => new Date(now),
    set: (next) => {
      now = new Date(next);
    },
    advance: ({ hours = 0, minutes = 0, seconds = 0 }) => {
      now = new Date(now.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000);
    },
  };
}
