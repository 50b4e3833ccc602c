const rememberedSeconds = 10;
/** Fewer, or all within a burst, may all have been late, for example because each opened a connection. */
const minimum = { calls: 16, seconds: 2 };
/** Covers clocks and timers. */
const reserveMs = 5;

/** The fastest of the latest accepted calls, which had the least network delay. */
export interface CallTimes {
  add(ms: number): void;
  /** Returns how long before its response a request has arrived for certain, or 0 while too few calls are known. */
  certainMs(): number;
}

export function createCallTimes(): CallTimes {
  /** Of each second with a call, oldest first. */
  const seconds: { second: number; calls: number; fastestMs: number }[] = [];
  let certain = 0;
  return {
    add(ms) {
      const second = Math.floor(performance.now() / 1_000);
      const latest = seconds.at(-1);
      if (latest?.second === second) {
        latest.calls += 1;
        latest.fastestMs = Math.min(latest.fastestMs, ms);
      } else seconds.push({ second, calls: 1, fastestMs: ms });
      while (seconds[0]!.second <= second - rememberedSeconds) seconds.shift();
      const calls = seconds.reduce((sum, one) => sum + one.calls, 0);
      const fastestMs = Math.min(...seconds.map((one) => one.fastestMs));
      const isEnough = calls >= minimum.calls && seconds[0]!.second <= second - minimum.seconds;
      certain = isEnough ? Math.max(0, fastestMs - reserveMs) : 0;
    },
    certainMs: () => certain,
  };
}
