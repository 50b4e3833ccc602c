import { randomInt, randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, inject, onTestFinished } from 'vitest';
import { createProductClient, type ProductClient, type Signup } from '../product-client.ts';
import { findBarriers } from './barriers.ts';
import { launchBrowser } from './launch-browser.ts';

export type { Locator, Page } from 'playwright-core';

export const desktop = { width: 1440, height: 900 };
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
  /** Expected browser errors, such as a mocked failure. */
  expectComplaints?: RegExp;
  /** Runs before the first navigation. */
  prepare?: (page: Page) => Promise<unknown>;
}

export interface Pages {
  product: ProductClient;
  /** Opens a window, which is closed with its test. The test fails on browser errors. */
  open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** Signs up and pays by API: a subscriber on trial, unless `pays` is false. */
  subscriber: (details?: Partial<Signup>, pays?: boolean) => Promise<Subscriber>;
}

/** Returns an unused valid number. */
export const aPhone = (): string => `+1415${randomInt(2_000_000, 9_999_999)}`;
export const anEmail = (): string => `${randomUUID()}@example.com`;

/** Shared by all files of a run. Ends with their process. */
let shared: Browser | undefined;

export function usePages(): Pages {
  const product = createProductClient(inject('urls'));
  let browser: Browser;
  beforeAll(async () => {
    if (!shared?.isConnected()) shared = await launchBrowser();
    browser = shared;
  });

  return {
    product,
    open: async (path, { as, expectComplaints, prepare, ...options } = {}) => {
      const context = await browser.newContext({
        viewport: desktop,
        timezoneId: 'America/New_York',
        locale: 'en-US',
        // Tests would wait for each transition.
        reducedMotion: 'reduce',
        ...options,
      });
      const complaints = listen(context, product.urls.gateway);
      onTestFinished(async () => {
        // Mocked calls may still be running for a page with live updates.
        for (const one of context.pages()) await one.unrouteAll({ behavior: 'ignoreErrors' });
        await context.close();
        const unexpected = complaints.filter((one) => !expectComplaints?.test(one));
        expect(unexpected, 'browser errors').toEqual([]);
      });
      if (as !== undefined) await signInBeforeLoading(context, as.token);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
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

/** Collects script errors, blocked resources and failed calls that the browser reports. */
function listen(context: BrowserContext, origin: string): string[] {
  const complaints: string[] = [];
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' && message.location().url.startsWith(origin))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  return complaints;
}

/** Once per window: a page that signs out stays signed out after a reload. */
async function signInBeforeLoading(context: BrowserContext, token: string): Promise<void> {
  await context.addInitScript((value) => {
    // A blank page without storage is loaded first, and by axe.
    if (window.origin === 'null') return;
    if (window.sessionStorage.getItem('signed-in-by-test') !== null) return;
    window.sessionStorage.setItem('signed-in-by-test', 'yes');
    window.localStorage.setItem('user_token', value);
  }, token);
}

export const see = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByText(words).first().waitFor();

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();

/** Only these rules can give another result in dark mode. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Fails on accessibility problems: of all rules in light mode, of colors in dark mode too. */
export async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await colorsStand(page, colorScheme);
    const barriers = await findBarriers(page, colorScheme === 'dark' ? colorRules : undefined);
    expect(barriers, `accessibility problems in ${colorScheme} mode`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Waits for color transitions, during which contrast is meaningless. One of an inherited color starts another one in each child. */
async function colorsStand(page: Page, scheme: 'light' | 'dark'): Promise<void> {
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
