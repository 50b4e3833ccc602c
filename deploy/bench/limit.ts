import { withDueStack } from './due-stack.ts';
import type { Figure } from './figure.ts';
import { maxPerSecond } from './sliding-second.ts';
import { startWorkers } from './workers.ts';

const LIMIT = 100;
const WORKERS = 4;
const LATENCIES_MS = [10, 150, 500];
const SECONDS_EACH = 25;
/** The limiter needs ten seconds to trust a new latency. */
const SKIPPED_MS = 12_000;

/** Measures how much of the rate limit four workers use at each latency of the provider, and whether they exceed it. */
export function measureLimit(): Promise<Figure[]> {
  const texts = LIMIT * SECONDS_EACH * LATENCIES_MS.length * 1.1;
  const env = { SMS_RATE_PER_SECOND: String(LIMIT) };
  return withDueStack({ texts, env }, async (due) => {
    const { standIn, stack } = due;
    const workers = await startWorkers(stack, WORKERS - 1);
    try {
      const figures: Figure[] = [];
      standIn.latencyMs = LATENCIES_MS[0] ?? 0;
      await due.release();
      await due.untilSent(1);
      for (const latencyMs of LATENCIES_MS) {
        standIn.latencyMs = latencyMs;
        const before = standIn.arrivals.length;
        await due.untilSent(before + LIMIT * SECONDS_EACH);
        const steadyFrom = (standIn.arrivals[before] ?? 0) + SKIPPED_MS;
        const arrivals = standIn.arrivals.slice(before).filter((at) => at >= steadyFrom);
        const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1_000;
        const share = (arrivals.length - 1) / seconds / LIMIT;
        figures.push({
          what: `share of the limit of ${LIMIT}/s used at ${latencyMs} ms, ${WORKERS} workers (baseline: the limit)`,
          ours: `${(share * 100).toFixed(1)} %`,
          baseline: '100 %',
          ratio: share,
          better: 'higher',
          target: '97 %',
        });
      }
      const most = maxPerSecond(standIn.arrivals);
      figures.push({
        what: 'most texts that arrived in any sliding second (baseline: the limit)',
        ours: String(most),
        baseline: String(LIMIT),
        ratio: most / LIMIT,
        better: 'lower',
        target: `at most ${LIMIT}`,
      });
      return figures;
    } finally {
      workers.stop();
    }
  });
}
