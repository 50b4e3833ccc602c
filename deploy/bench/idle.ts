import { setTimeout as delay } from 'node:timers/promises';
import { readCounts } from './database-counts.ts';
import { withDueStack } from './due-stack.ts';
import type { Figure } from './figure.ts';
import { cpuSince, describeCpu, readCpu, sumOf } from './usage.ts';

const SETTLE_MS = 15_000;
const MEASURED_MS = 30_000;

/** Measures the CPU of the stack at rest, with 1,000 subscribers of whom none is due. */
export async function measureIdle(): Promise<Figure[]> {
  return withDueStack({ texts: 1_000 }, async ({ stack, database }) => {
    await delay(SETTLE_MS);
    const counts = await readCounts(database);
    const before = readCpu(stack);
    const startedAt = performance.now();
    await delay(MEASURED_MS);
    const elapsedMs = performance.now() - startedAt;
    const used = cpuSince(before, readCpu(stack));
    const after = await readCounts(database);
    const transactions = (after.transactions - counts.transactions) / (MEASURED_MS / 1_000);
    console.log(`At rest: ${describeCpu(used, elapsedMs / 100, '% of a core')}`);
    console.log(`At rest: ${transactions.toFixed(1)} transactions per second`);
    const share = (sumOf(used) / elapsedMs) * 100;
    return [
      {
        what: 'CPU of the whole stack at rest, share of one core (baseline: one core)',
        ours: `${share.toFixed(1)} %`,
        baseline: '100 %',
        ratio: share / 100,
        better: 'lower',
        target: '4 %',
      },
    ];
  });
}
