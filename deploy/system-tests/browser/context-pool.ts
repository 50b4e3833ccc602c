import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { drawSmall } from './draw-small.ts';
import { stopMocking } from './mocked-calls.ts';

/** A browser context with a page, which keeps its renderer process and compiled scripts between tests. */
export interface PooledContext {
  context: BrowserContext;
  page: Page;
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
 * Reuses browser contexts and their page, each by one test at a time. A page load takes two thirds of the CPU time of one
 * in a new page, and a third of one in a new context. `own` creates one that isn't reused, for other options and for
 * tests that change the context itself.
 */
export function createContextPool(browser: Browser, origin: string) {
  const free: PooledContext[] = [];
  const emptyPage = `${origin}/icon.svg`;

  const create = async (options: BrowserContextOptions): Promise<PooledContext> => {
    const context = await browser.newContext({ viewport: desktop, ...defaults, ...options });
    const page = await context.newPage();
    await drawSmall(page, options.viewport ?? desktop);
    await page.goto(emptyPage);
    const complaints: string[] = [];
    context.on('weberror', (error) => complaints.push(String(error.error())));
    context.on('console', (message) => {
      const { url } = message.location();
      if (message.type() === 'error' && url.startsWith(origin))
        complaints.push(`${message.text()} ${url}`);
    });
    return { context, page, complaints };
  };

  return {
    browser,
    acquire: async (): Promise<PooledContext> => free.pop() ?? (await create({})),
    own: create,
    /** Leaves the test's page, closes others, and clears what they stored. Returns what the browser reported. */
    release: async (used: PooledContext): Promise<string[]> => {
      const { context, page } = used;
      await stopMocks(used);
      const complaints = used.complaints.splice(0);
      for (const other of context.pages()) if (other !== page) await other.close();
      if (page.isClosed()) {
        await context.close();
        return complaints;
      }
      page.removeAllListeners();
      await context.setOffline(false);
      await page.goto(emptyPage);
      await page.mouse.move(0, 0);
      await page.emulateMedia({
        ...{ media: null, colorScheme: null, contrast: null, forcedColors: null },
        reducedMotion: 'reduce',
      });
      await context.clearCookies();
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      used.complaints.length = 0;
      free.push(used);
      return complaints;
    },
    close: async (used: PooledContext): Promise<string[]> => {
      await stopMocks(used);
      await used.context.close();
      return used.complaints;
    },
  };
}

/** Mocked calls may still be running for a page with live updates. */
async function stopMocks({ context }: PooledContext): Promise<void> {
  for (const page of context.pages()) {
    await stopMocking(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
}
