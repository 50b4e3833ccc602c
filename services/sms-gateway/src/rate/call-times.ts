const remembered = 32;
/** Covers what all of them have in common: the network and the event loop differ by less between two seconds. */
const reserveMs = 5;

/** The fastest of the latest calls, from which follows how much later than usual a request may have arrived. */
export interface CallTimes {
  add(ms: number): void;
  /**
   * Returns how long before its response a request has arrived for certain, counted from the usual time on the way. 0
   * while too few calls are known or they differ too much.
   */
  certainMs(): number;
}

export function createCallTimes(): CallTimes {
  const latest: number[] = [];
  let certain = 0;
  return {
    add(ms) {
      latest.push(ms);
      if (latest.length < remembered) return;
      if (latest.length > remembered) latest.shift();
      const sorted = latest.toSorted((one, other) => one - other);
      const fastest = sorted[0] ?? 0;
      const median = sorted[remembered / 2] ?? 0;
      certain = Math.max(0, fastest - (median - fastest) - reserveMs);
    },
    certainMs: () => certain,
  };
}
