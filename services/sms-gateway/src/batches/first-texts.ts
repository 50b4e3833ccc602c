import { canaryCode } from './batches.repository.ts';

/** When the others become due: after the usual decision, so a batch without problems isn't written to again. */
export const othersAfterMs = 10_000;
/** The rest is sent after this long without a decision, so a dead worker can't block it. */
export const maxHoldMs = 60_000;
const maxTexts = 50;
const share = 0.02;

/** Returns how many texts of a batch go first; 0 if it isn't large. */
export function canaryCount(expected: number, above: number): number {
  return above === 0 || expected <= above ? 0 : Math.min(maxTexts, Math.ceil(expected * share));
}

/** Columns of a batch that starts with its first `count` texts. */
export function canariesOf(ids: string[], count: number, now: Date) {
  if (count === 0) return {};
  return {
    canary_ids: ids.slice(0, count),
    stopped_at: now,
    stop_code: canaryCode,
    resumes_at: new Date(now.getTime() + maxHoldMs),
  };
}
