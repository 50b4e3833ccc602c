import { PublicCatalogue } from '@daylift/contracts/billing.http';
import { describe, expect, test } from 'vitest';
import { libraryMessages } from '../../services/content/library/messages.ts';
import { sceneTexts, threadTexts } from '../src/features/landing/library-texts.ts';
import {
  answer,
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  mockCalls,
  type Page,
  phone,
  press,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();

const shownScene = (page: Page) =>
  page.locator('figure[data-shown="true"] img').first().getAttribute('alt');

const stepMs = 100;
/** Returns how long the paused clock has to run for the next picture. */
const untilNextScene = async (page: Page): Promise<number> => {
  const shown = await shownScene(page);
  let ms = 0;
  while ((await shownScene(page)) === shown && ms < 20_000) {
    await page.clock.runFor(stepMs);
    ms += stepMs;
  }
  return ms;
};

/** Waits until the app has hydrated the prerendered page. */
const appLoaded = async (page: Page) => {
  await page.mouse.move(3, 3);
  await page.locator('script[data-hydrate]').waitFor({ state: 'attached' });
};

/** Opens the page as while billing is unavailable: the server leaves rendering to the browser, as for the dashboard. */
const openUndrawn = async (page: Page) => {
  const undrawn = await fetch(`${pages.product.urls.gateway}/dashboard`);
  const body = await undrawn.text();
  await page.route(
    (url) => url.pathname === '/',
    (route) => route.fulfill({ contentType: 'text/html', body }),
  );
  await page.goto(`${pages.product.urls.gateway}/`);
};

/** Opens a page with a clock that the test controls, and with motion. */
const openWithClock = async (path: string) => {
  const page = await pages.open('/privacy', { reducedMotion: 'no-preference' });
  await page.clock.install({ time: new Date('2027-04-05T12:00:00') });
  await page.goto(`${pages.product.urls.gateway}${path}`);
  return page;
};

describe('The landing page', () => {
  test('shows what it is, what it costs and testimonials, accessibly on a phone', async () => {
    const page = await pages.open('/', { viewport: phone });
    for (const words of ['$4.99', '$49.99', 'Save 17%', 'About $4.17/month, 2 months free'])
      await see(page, words);
    await see(page, '3 days free');
    await expect.poll(() => page.getByText('Rated 5 out of 5').count()).toBe(3);
    await page
      .getByRole('region', { name: 'Before you ask' })
      .getByText('How do I cancel?')
      .waitFor();
    expect(await page.title()).toMatch(/^Daylift: /);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    const thread = page.getByRole('figure', { name: 'Three texts on a phone' });
    expect(await thread.getByText('Today, 7:00 AM').count()).toBe(1);
  });

  test('leads to the benefits, the prices, and the signup of each plan', async () => {
    const page = await pages.open('/', { viewport: desktop });
    for (const [link, id] of [
      ['Learn More', 'benefits'],
      ['See How It Works', 'pricing'],
    ] as const) {
      await page.getByRole('link', { name: link }).click();
      await page.waitForURL(new RegExp(`#${id}$`));
      await page.waitForFunction(
        (name) => Math.abs(document.getElementById(name)?.getBoundingClientRect().top ?? 999) < 200,
        id,
      );
    }
    for (const [name, plan] of [
      ['Monthly', 'monthly'],
      ['Yearly', 'yearly'],
    ] as const) {
      const link = page
        .locator('#pricing')
        .getByRole('link', { name: new RegExp(`Start 3-Day Free Trial, ${name}`) });
      expect(await link.getAttribute('href')).toBe(`/signup?plan=${plan}`);
    }
    await page.getByRole('link', { name: 'Start 3-Day Free Trial' }).first().click();
    await page.waitForURL(/\/signup$/);
  });

  test('rotates its picture every 5 seconds, but not while hovered, focused or paused, or with reduced motion', async () => {
    const page = await openWithClock('/');
    const expectRest = async () => {
      const shown = await shownScene(page);
      await page.clock.runFor(15_000);
      expect(await shownScene(page)).toBe(shown);
    };
    await appLoaded(page);
    await page.getByRole('region', { name: 'Morning scenes' }).hover();
    await expectRest();
    await page.mouse.move(3, 3);
    await page.getByRole('button', { name: 'Pause the pictures' }).focus();
    await expectRest();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.clock.pauseAt(new Date('2027-04-05T12:30:00'));
    await untilNextScene(page);
    expect(Math.abs((await untilNextScene(page)) - 5_000)).toBeLessThanOrEqual(2 * stepMs);
    await press(page, 'Pause the pictures');
    await page.getByRole('button', { name: 'Play the pictures' }).waitFor();
    await expectRest();
    await press(page, 'Show picture 3 of 3');
    await page.locator('figure[data-shown="true"] img[alt*="rower"]').first().waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await appLoaded(page);
    await page.getByRole('button', { name: 'Play the pictures' }).waitFor();
    await expectRest();
  });

  test('changes the first scene after 5 s, and never changes the count', async () => {
    const page = await pages.open('/privacy', { reducedMotion: 'no-preference' });
    await page.evaluate(() => {
      const day = new Date().toLocaleDateString('sv');
      const counter = { version: 1, count: 1305, day };
      localStorage.setItem('community_counter', JSON.stringify(counter));
    });
    await page.goto(`${pages.product.urls.gateway}/`, { waitUntil: 'domcontentloaded' });
    const count = page.locator('[data-community-count]');
    expect(await count.textContent()).toBe('1,305');
    const first = await shownScene(page);
    const shownMs = await page.waitForFunction((alt) => {
      const shown = document.querySelector('figure[data-shown="true"] img');
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      return shown?.getAttribute('alt') !== alt && performance.now() - (paint?.startTime ?? 0);
    }, first);
    // A busy machine may be late.
    expect(await shownMs.jsonValue()).toBeGreaterThan(4_800);
    expect(await shownMs.jsonValue()).toBeLessThan(7_000);
    expect(await count.textContent()).toBe('1,305');
  });

  test('shows the community count from 1288, with 3 to 8 more the next day', async () => {
    const page = await openWithClock('/');
    await see(page, '1,288');
    await appLoaded(page);
    await page.waitForFunction(() => localStorage.getItem('community_counter') !== null);
    await page.clock.setSystemTime(new Date('2027-04-06T12:00:00'));
    await page.reload();
    await appLoaded(page);
    await page.getByText(/^1,29[1-6]$/).waitFor();
    const pulse = await page
      .locator('strong', { hasText: /^1,29/ })
      .evaluate((element) => getComputedStyle(element).animationDuration);
    expect(pulse).toBe('8s');
  });

  test('replays clicks made before its script loaded', async () => {
    const page = await pages.open('/privacy');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\/(index|core)-.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${pages.product.urls.gateway}/`);
    await press(page, 'Show picture 2 of 3');
    expect(await shownScene(page)).toMatch(/sun rising/);
    await page.locator('button[aria-busy=true]').waitFor();
    release();
    await page.locator('figure[data-shown="true"] img[alt*="mug"]').first().waitFor();
    expect(await page.locator('button[aria-busy]').count()).toBe(0);
  });

  test('lets a click be repeated after its script could not be loaded', async () => {
    const page = await pages.open('/privacy', { expectComplaints: /Failed to load resource/ });
    const script = /\/assets\/(index|core)-.*\.js$/;
    await page.route(script, (route) => route.abort());
    await page.goto(`${pages.product.urls.gateway}/`);
    await press(page, 'Show picture 2 of 3');
    await page.locator('button[aria-busy]').waitFor({ state: 'detached' });
    await page.unroute(script);
    await press(page, 'Show picture 2 of 3');
    await page.locator('figure[data-shown="true"] img[alt*="mug"]').first().waitFor();
  });

  test('works without scripts', async () => {
    const page = await pages.open('/', { javaScriptEnabled: false });
    await page.getByRole('heading', { level: 1, name: /A kind word/ }).waitFor();
    await see(page, '$4.99');
    const faqs = page.getByRole('region', { name: 'Before you ask' });
    const question = faqs.getByText('How do I cancel?');
    const answer = faqs.locator('details', { hasText: 'How do I cancel?' }).locator('p');
    expect(await answer.isVisible()).toBe(false);
    await question.click();
    await answer.waitFor();
  });

  test('shows the questions without loading them again', async () => {
    const page = await pages.open('/privacy');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.goto(`${pages.product.urls.gateway}/`);
    await appLoaded(page);
    await page.waitForFunction(() => localStorage.getItem('community_counter') !== null);
    await page.getByText('How do I cancel?').click();
    await page.locator('details[open]').waitFor();
    expect(calls).not.toContain('/api/faqs');
  });

  test("reports missing prices and retries, and shows the visitor's currency, and a saving only if there is one", async () => {
    const page = await pages.open('/privacy', { viewport: phone, expectComplaints: failedCall });
    const restore = await failCalls(page, 'GET', '/plans');
    await openUndrawn(page);
    await see(page, "We couldn't load the prices.");
    restore();
    await press(page, 'Try again');
    await see(page, '$4.99');

    const countries = [{ country: 'US', calling_code: '1', currency: 'gbp' }];
    await mockCalls(page, '/plans', async ({ real }) => ({
      json: { ...(await real()), countries },
    }));
    await page.reload();
    const prices = page.locator('#pricing');
    for (const words of ['£4.49', '£44.99', 'About £3.75/month, 2 months free'])
      await prices.getByText(words).waitFor();
    await see(page, 'In some countries, prices are in the local currency.');
    expect(await prices.getByText('$').count()).toBe(0);
    await expectNoSidewaysScroll(page);

    const { body } = await pages.product.api<PublicCatalogue>('GET', '/plans');
    const priced = (monthly: number, saving_percent: number): PublicCatalogue => ({
      ...body,
      plans: body.plans.map((plan) =>
        plan.id === 'monthly' ? { ...plan, price_cents: monthly } : { ...plan, saving_percent },
      ),
    });
    let catalogue = priced(450, 7);
    await answer(page, '/plans', PublicCatalogue, () => catalogue);
    await page.reload();
    await see(page, 'Save 7%');
    await see(page, 'About $4.17/month, 1 month free');
    catalogue = priced(299, 0);
    await page.reload();
    await see(page, '$2.99');
    expect(await prices.textContent()).not.toMatch(/Save|months? free/);
  });
});

test('every text on the landing page is one that subscribers get', () => {
  const library = libraryMessages.map(({ content }) => content);
  expect(library).toEqual(expect.arrayContaining([...sceneTexts, ...threadTexts]));
});

describe('The navigation', () => {
  test('has a skip link, offers sign-in and trial to visitors, dashboard and sign-out to subscribers', async () => {
    const page = await pages.open('/');
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    const main = page.getByRole('navigation', { name: 'Main' });
    expect(await main.getByRole('link').allTextContents()).toEqual(['Sign In', 'Start Free Trial']);
    const footer = page.getByRole('navigation', { name: 'Footer' });
    expect(await footer.getByRole('link').allTextContents()).toEqual([
      'Privacy Policy',
      'Terms of Service',
      'Contact',
    ]);
    const { token } = await pages.subscriber({}, false);
    await page.evaluate((value) => localStorage.setItem('user_token', value), token);
    await page.reload();
    await page.getByText('Ada', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).waitFor();
    await press(page, 'Sign Out');
    await page.getByRole('link', { name: 'Sign In' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('user_token'))).toBeNull();
  });

  test('switches between light and dark, and keeps the choice', async () => {
    const page = await pages.open('/', { colorScheme: 'light' });
    await press(page, 'Dark mode');
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
    await page.reload();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
    await press(page, 'Light mode');
    await page.locator('html[data-mantine-color-scheme="light"]').waitFor({ state: 'attached' });
  });
});
