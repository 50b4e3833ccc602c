import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A browser context with an open page, which keeps the renderer process and its compiled scripts. */
export interface PooledContext {
  context: BrowserContext;
  keeper: Page;
  /** Script errors, blocked resources and failed calls that the browser reported. */
  complaints: string[];
}

const defaults = {
  timezoneId: 'America/New_York',
  locale: 'en-US',
  // Tests would wait for each transition.
  reducedMotion: 'reduce',
} as const;

export const desktop = { width: 1440, height: 900 };

/**
 * Reuses browser contexts, each by one test at a time. A page load in a reused context takes half the CPU time. `own`
 * creates one that isn't reused, for other options and for tests that change the context itself.
 */
export function createContextPool(browser: Browser, origin: string) {
  const free: PooledContext[] = [];

  const create = async (options: BrowserContextOptions): Promise<PooledContext> => {
    const context = await browser.newContext({ viewport: desktop, ...defaults, ...options });
    const keeper = await context.newPage();
    await keeper.goto(`${origin}/icon.svg`);
    const complaints: string[] = [];
    context.on('weberror', (error) => complaints.push(String(error.error())));
    context.on('console', (message) => {
      if (message.page() === keeper || message.type() !== 'error') return;
      const { url } = message.location();
      if (url.startsWith(origin)) complaints.push(`${message.text()} ${url}`);
    });
    return { context, keeper, complaints };
  };

  return {
    browser,
    acquire: async (): Promise<PooledContext> => {
      const kept = free.pop() ?? (await create({}));
      kept.complaints.length = 0;
      return kept;
    },
    own: create,
    /** Closes the test's pages and clears what they stored. */
    release: async (kept: PooledContext): Promise<void> => {
      const { context, keeper } = kept;
      await closePages(kept);
      await context.setOffline(false);
      await context.clearCookies();
      await keeper.evaluate(() => localStorage.clear());
      free.push(kept);
    },
    close: async (kept: PooledContext): Promise<void> => {
      await closePages(kept);
      await kept.context.close();
    },
  };
}

async function closePages({ context, keeper }: PooledContext): Promise<void> {
  for (const page of context.pages()) {
    if (page === keeper) continue;
    // Mocked calls may still be running for a page with live updates.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  }
}
