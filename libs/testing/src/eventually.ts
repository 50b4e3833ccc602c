import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `probe` returns a value other than undefined, null or false. Throws the last value after the deadline.
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  options: { within?: number; what?: string } = {},
): Promise<T> {
  const deadline = Date.now() + (options.within ?? 10_000);
  let last: unknown;
  for (;;) {
    try {
      const found = await probe();
      if (found !== undefined && found !== null && found !== false) return found;
      last = found;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `${options.what ?? 'What was waited for'} did not come; last seen: ${String(last)}`,
        { cause: last },
      );
    }
    await delay(25);
  }
}
