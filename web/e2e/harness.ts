import { beforeAll } from 'vitest';
import type { OpenOptions, Pages, Subscriber } from '../../deploy/system-tests/browser/harness.ts';

export * from '../../deploy/system-tests/browser/harness.ts';
export * from '../../deploy/system-tests/browser/mocked-calls.ts';

/** Opens the dashboard as a subscriber whom no test of the file changes, unless another is given. */
export function useDashboard(pages: Pages) {
  let reader: Subscriber;
  beforeAll(async () => {
    reader = await pages.subscriber();
  });
  return {
    reader: () => reader,
    open: (options: OpenOptions = {}) => pages.open('/dashboard', { as: reader, ...options }),
  };
}
