import { describe, expect, test } from 'vitest';
import {
  holdCalls,
  mockCalls,
  type Page,
  press,
  type Subscriber,
  see,
  useDashboard,
  usePages,
} from './harness.ts';

const pages = usePages();
const { reader } = useDashboard(pages);

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('user_token'));
const openSignup = { id: 'one', name: 'Ada', plan: 'yearly', trial: true };
const signIn = async (page: Page, { email, password }: Subscriber) => {
  await page.getByLabel('Email or phone').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
};

/** Runs in the browser: records every URL, and reports when the dashboard is gone. */
const recordNavigation = () => {
  const { navigation, reportGone } = window as unknown as {
    navigation: EventTarget;
    reportGone: () => void;
  };
  navigation.addEventListener('navigate', (event) => {
    const { url } = (event as Event & { destination: { url: string } }).destination;
    const visited = sessionStorage.getItem('went') ?? '';
    sessionStorage.setItem('went', `${visited} ${new URL(url).pathname}`);
  });
  new MutationObserver(() => {
    if (document.querySelector('[role="tab"]') === null)
      requestAnimationFrame(() => requestAnimationFrame(reportGone));
  }).observe(document.body, { childList: true, subtree: true });
};

describe('Signing out', () => {
  test("doesn't flash the login page, however slowly the home page loads", async () => {
    const person = await pages.subscriber();
    const page = await pages.open('/login', { ownContext: true });
    await signIn(page, person);
    await see(page, 'Hello, Ada');
    const { promise: gone, resolve: reportGone } = Promise.withResolvers<void>();
    await page.exposeFunction('reportGone', reportGone);
    await page.evaluate(recordNavigation);
    await page.route(
      (url) => url.pathname === '/',
      async (route) => {
        await gone;
        await route.fallback();
      },
    );
    await press(page, 'Sign Out');
    await page.waitForURL((url) => url.pathname === '/');
    expect(await page.evaluate(() => sessionStorage.getItem('went'))).toBe(' /');
    await page.getByRole('link', { name: 'Sign In' }).waitFor();
    expect(await storedToken(page)).toBeNull();
    await page.goBack();
    await page.waitForURL(/\/login$/);
  });

  test("reported late to a suspended tab doesn't end a newer session", async () => {
    const person = await pages.subscriber();
    const page = await pages.open('/dashboard', { as: person });
    await see(page, 'Hello, Ada');
    await page.waitForLoadState('networkidle');
    const broadcastSignOut = (token: string) =>
      page.evaluate(async (ended) => {
        const sender = new BroadcastChannel('daylift session');
        const listener = new BroadcastChannel('daylift session');
        // Added after the page's own listener, so one runs first.
        const received = new Promise((resolve) => {
          listener.onmessage = resolve;
        });
        sender.postMessage(ended);
        await received;
      }, token);
    await broadcastSignOut('a.token.before');
    expect(await storedToken(page)).toBe(person.token);
    await broadcastSignOut(person.token);
    await page.waitForURL(/\/login/);
    expect(await storedToken(page)).toBeNull();
  });
});

describe('Returning from the payment page', () => {
  test('shows the dashboard as it is now, not as it was left', async () => {
    const page = await pages.open('/dashboard?tab=plan', { as: reader() });
    await page.route('https://pay.example/**', (route) => route.abort('aborted'));
    await page.route('**/api/users/me/plan/portal', (route) =>
      route.fulfill({ json: { url: 'https://pay.example/portal' } }),
    );
    const button = page.getByRole('button', { name: 'Card and Invoices' });
    const left = page.waitForEvent('requestfailed');
    await button.click();
    await left;
    await expect.poll(() => button.isDisabled()).toBe(true);
    await page.evaluate(() =>
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    );
    await expect.poll(() => button.isEnabled().catch(() => false)).toBe(true);
  });

  test('keeps the chosen plan until sign-in', async () => {
    const page = await pages.open('/privacy');
    await page.evaluate(
      (signup) => sessionStorage.setItem('pending_signup', JSON.stringify(signup)),
      openSignup,
    );
    await mockCalls(page, '/payments/status/*', () => ({ json: { payment_status: 'expired' } }));
    await page.goto(`${pages.product.urls.gateway}/success?session_id=cs_test_any`);
    const back = page.getByRole('link', { name: 'Back to the Checkout' });
    await expect.poll(() => back.getAttribute('href')).toBe('/signup?plan=yearly');
    await page.getByRole('link', { name: 'Sign In to Your Dashboard' }).click();
    await signIn(page, reader());
    await see(page, 'Hello, Ada');
    expect(await page.evaluate(() => sessionStorage.getItem('pending_signup'))).toBeNull();
  });
});

test('a change saved after the user gave the form up or went to another tab is reported', async () => {
  const page = await pages.open('/dashboard?tab=settings', { as: await pages.subscriber() });
  for (const [hour, name, role] of [
    ['06:00', 'Cancel', 'button'],
    ['07:00', 'Overview', 'tab'],
  ] as const) {
    await press(page, 'Edit');
    await page.getByLabel('Daily message time').selectOption(hour);
    const held = await holdCalls(page, 'PUT', '/users/me');
    await press(page, 'Save Changes');
    await expect.poll(() => held.count).toBe(1);
    await page.getByRole(role, { name }).click();
    await page.getByRole('button', { name: 'Updating...' }).waitFor({ state: 'detached' });
    held.release();
    const report = page.getByText('Profile updated successfully!');
    await report.waitFor();
    await press(page, 'Close');
    await report.waitFor({ state: 'detached' });
  }
});
