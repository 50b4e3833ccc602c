import { randomInt, randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, inject, onTestFinished } from 'vitest';
import { createProductClient, type ProductClient, type Signup } from '../product-client.ts';
import { findBarriers } from './barriers.ts';
import { createContextPool, desktop } from './context-pool.ts';
import { launchBrowser } from './launch-browser.ts';

export type { Locator, Page } from 'playwright-core';

export { desktop } from './context-pool.ts';
export const phone = { width: 375, height: 812 };
/** The smallest supported screen. */
export const narrow = { width: 320, height: 700 };

export interface Subscriber {
  id: string;
  name: string;
  email: string;
  phone: string;
  password: string;
  token: string;
}

export interface OpenOptions extends BrowserContextOptions {
  as?: Pick<Subscriber, 'token'>;
  /** What the browser has stored before the first page. */
  stored?: Record<string, string>;
  /** For a test that changes the context or page for good, for example its clock or scripts that run first. */
  ownContext?: boolean;
  /** Expected browser errors, such as a mocked failure. */
  expectComplaints?: RegExp;
  /** Runs before the first navigation. */
  prepare?: (page: Page) => Promise<unknown>;
}

export interface Pages {
  product: ProductClient;
  /** Opens a page for this test, which fails on browser errors. */
  open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** Signs up and pays by API: a subscriber on trial, unless `pays` is false. */
  subscriber: (details?: Partial<Signup>, pays?: boolean) => Promise<Subscriber>;
}

/** Returns an unused valid number. */
export const aPhone = (): string => `+1415${randomInt(2_000_000, 9_999_999)}`;
export const anEmail = (): string => `${randomUUID()}@example.com`;

/** Shared by all files of a run. Ends with their process. */
let shared: ReturnType<typeof createContextPool> | undefined;

export function usePages(): Pages {
  const product = createProductClient(inject('urls'));
  let pool: NonNullable<typeof shared>;
  beforeAll(async () => {
    if (!shared?.browser.isConnected())
      shared = createContextPool(await launchBrowser(), product.urls.gateway);
    pool = shared;
  });

  return {
    product,
    open: async (path, options = {}) => {
      const { as, stored, expectComplaints, prepare, ownContext, ...rest } = options;
      const { viewport = desktop, colorScheme, ...contextOptions } = rest;
      const own = ownContext || Object.keys(contextOptions).length > 0;
      const used = own ? await pool.own(rest) : await pool.acquire();
      onTestFinished(async () => {
        const complaints = await (own ? pool.close(used) : pool.release(used));
        const unexpected = complaints.filter((one) => !expectComplaints?.test(one));
        expect(unexpected, 'browser errors').toEqual([]);
      });
      const { page } = used;
      const values = { ...(as && { user_token: as.token }), ...stored };
      await page.evaluate((all) => void Object.assign(localStorage, all), values);
      page.setDefaultTimeout(30_000);
      if (!own && viewport !== null) await page.setViewportSize(viewport);
      if (!own && colorScheme) await page.emulateMedia({ colorScheme });
      await prepare?.(page);
      await page.goto(`${product.urls.gateway}${path}`);
      return page;
    },
    subscriber: async (details = {}, pays = true) => {
      const signup = {
        name: 'Ada Morning',
        email: anEmail(),
        phone: aPhone(),
        password: 'good morning',
        timezone: 'America/New_York',
        delivery_time: '09:00',
        sms_consent: true,
        ...details,
      };
      const id = await product.signUp(signup);
      if (pays) {
        const session = await product.openCheckout(id, signup.plan);
        await product.pay(session);
        await product.api('GET', `/payments/status/${session}`);
      }
      const token = await product.login(signup.email, signup.password);
      const { name, email, phone: number, password } = signup;
      return { id, name, email, phone: number, password, token };
    },
  };
}

export const see = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByText(words).first().waitFor();

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();

/** Only these rules can give another result in dark mode. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Fails on accessibility problems: of all rules in light mode, of colors in dark mode too. `within` saves checking a page
 * again below its dialog.
 */
export async function expectNoBarriers(page: Page, within?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await waitForColors(page, colorScheme);
    const rules = colorScheme === 'dark' ? { rules: colorRules } : {};
    const barriers = await findBarriers(page, { ...rules, ...(within && { within }) });
    expect(barriers, `accessibility problems in ${colorScheme} mode`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Waits for color transitions, during which contrast is meaningless. One of an inherited color starts another one in each child. */
async function waitForColors(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
  await page.evaluate(async () => {
    const running = () =>
      document.getAnimations().filter((animation) => animation.playState === 'running');
    for (let open = running(); open.length > 0; open = running())
      await Promise.allSettled(open.map((animation) => animation.finished));
  });
}

/** Retries, because a page needs a moment after a change of its width. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      }),
    )
    .toBeLessThanOrEqual(0);
}
