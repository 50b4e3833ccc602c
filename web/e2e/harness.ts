import { beforeAll } from 'vitest';
import type {
  OpenOptions,
  Page,
  Pages,
  Subscriber,
} from '../../deploy/system-tests/browser/harness.ts';

export * from '../../deploy/system-tests/browser/harness.ts';
export * from '../../deploy/system-tests/browser/mocked-calls.ts';

/** Shared by all files of a run. */
let shared: Subscriber | undefined;

/** Opens the dashboard as a subscriber whom no test changes, unless another is given. */
export function useDashboard(pages: Pages) {
  let reader: Subscriber;
  beforeAll(async () => {
    shared ??= await pages.subscriber();
    reader = shared;
  });
  return {
    reader: () => reader,
    open: (options: OpenOptions = {}) => pages.open('/dashboard', { as: reader, ...options }),
  };
}

/** Returns to the page's tab after a minute elsewhere, so its data is loaded again. */
export const returnAfterMinute = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
    window.dispatchEvent(new Event('visibilitychange'));
  });
