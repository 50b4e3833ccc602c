/** The product's time. Signatures, token expiry and timeouts stay on the wall clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The system clock plus an offset that only grows; the sandbox sets it. */
export interface TravellingClock extends Clock {
  adopt(offsetMs: number): void;
}

export function createTravellingClock(offsetMs: number): TravellingClock {
  let offset = offsetMs;
  return {
    now: () => new Date(Date.now() + offset),
    adopt: (next) => {
      offset = Math.max(offset, next);
    },
  };
}
