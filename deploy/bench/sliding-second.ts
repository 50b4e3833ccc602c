/** Returns the largest number of instants, given in order, that lie within one second. */
export function maxPerSecond(instantsMs: number[]): number {
  let most = 0;
  let first = 0;
  instantsMs.forEach((at, index) => {
    while (at - (instantsMs[first] ?? at) >= 1_000) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
