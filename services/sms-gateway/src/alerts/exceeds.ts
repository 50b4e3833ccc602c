/** Counts of a batch's or an hour's texts, without tests, opt-outs and skipped texts. */
export interface Tally {
  successful: number;
  failed: number;
  /** Without a final state. */
  pending: number;
  /** No count has changed for a while, so no more outcomes are expected. */
  is_quiet: boolean;
}

/** A smaller sample raises no alert. */
export const minSample = 20;
/** In standard errors: about one false alarm in a thousand. */
const certainty = 3;

export const shareOf = ({ successful, failed }: Tally): number =>
  successful + failed === 0 ? 0 : failed / (successful + failed);

/**
 * Returns whether the failure rate exceeds the threshold. A batch still in progress must exceed it by a confidence
 * bound, because five failures among the first twenty of a thousand texts can be chance.
 */
export function exceeds(tally: Tally, thresholdPercent: number): boolean {
  const threshold = thresholdPercent / 100;
  const settled = tally.successful + tally.failed;
  if (settled < minSample || shareOf(tally) <= threshold) return false;
  if (tally.pending === 0 && tally.is_quiet) return true;
  return lowerBound(tally.failed, settled) > threshold;
}

/** Lower bound of the Wilson score interval. */
export function lowerBound(failed: number, settled: number): number {
  const share = failed / settled;
  const z2 = certainty ** 2 / settled;
  const spread = certainty * Math.sqrt((share * (1 - share) + z2 / 4) / settled);
  return (share + z2 / 2 - spread) / (1 + z2);
}
