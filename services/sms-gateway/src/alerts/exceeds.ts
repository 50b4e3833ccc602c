/** How the texts of a batch or an hour stand: no tests, no opt-outs, no skips. */
export interface Tally {
  successful: number;
  failed: number;
  /** Not settled yet. */
  pending: number;
  /** Nothing has moved for a while: no more are to be expected. */
  is_quiet: boolean;
}

/** Fewer say nothing. */
export const fewest = 20;
/** Standard errors: one in a thousand would be chance. */
const certainty = 3;

export const shareOf = ({ successful, failed }: Tally): number =>
  successful + failed === 0 ? 0 : failed / (successful + failed);

/**
 * Whether more than the threshold failed. Of a batch that is over, plainly; of one under way only if it can hardly be
 * chance, because among the first twenty of a thousand, five failures come by themselves.
 */
export function exceeds(tally: Tally, thresholdPercent: number): boolean {
  const threshold = thresholdPercent / 100;
  const settled = tally.successful + tally.failed;
  if (settled < fewest || shareOf(tally) <= threshold) return false;
  if (tally.pending === 0 && tally.is_quiet) return true;
  return lowerBound(tally.failed, settled) > threshold;
}

/** Wilson's: below it the true share hardly lies. */
function lowerBound(failed: number, settled: number): number {
  const share = failed / settled;
  const z2 = certainty ** 2 / settled;
  const spread = certainty * Math.sqrt((share * (1 - share) + z2 / 4) / settled);
  return (share + z2 / 2 - spread) / (1 + z2);
}
