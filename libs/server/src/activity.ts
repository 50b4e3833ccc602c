/** For this long after a write request, an event or a job, loops run at their short intervals. */
const activeMs = 10_000;

let lastAt = 0;
let count = 0;
const listeners = new Set<() => void>();

export const isActive = (): boolean => Date.now() - lastAt < activeMs;

/** Returns how often something may have created work for a loop of this process. */
export const countActivity = (): number => count;

/** Called after anything that may have created work for a loop of this process. */
export function noteActivity(): void {
  count += 1;
  keepAwake();
}

/** Keeps the loops at their short intervals. */
export function keepAwake(): void {
  const wasIdle = !isActive();
  lastAt = Date.now();
  if (wasIdle) for (const wake of listeners) wake();
}

/** Calls `wake` at the first activity after a rest. Returns a function that stops this. */
export function onActivity(wake: () => void): () => void {
  listeners.add(wake);
  return () => listeners.delete(wake);
}
