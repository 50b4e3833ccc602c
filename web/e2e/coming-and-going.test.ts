import { describe, expect, test } from 'vitest';
import {
  failedCall,
  holdCalls,
  mockCalls,
  type Page,
  press,
  type Subscriber,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();

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

test('a signed-in user is redirected from the login to the dashboard', async () => {
  const page = await pages.open('/login', { as: await pages.subscriber() });
  await page.waitForURL(/\/dashboard$/);
  for (const address of ['/login/', '/LOGIN']) {
    await page.goto(`${pages.product.urls.gateway}${address}`);
    await page.waitForURL(/\/dashboard$/);
  }
  await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
});

describe('Returning from the payment page', () => {
  test('shows the dashboard as it is now, not as it was left', async () => {
    const page = await pages.open('/dashboard?tab=plan', { as: await pages.subscriber() });
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

  test("isn't needed for an invalid URL, which shows an error", async () => {
    const page = await pages.open('/dashboard?tab=plan', { as: await pages.subscriber() });
    await mockCalls(page, '/users/me/plan/portal', () => ({
      json: { url: 'javascript:document.title="taken"' },
    }));
    await press(page, 'Card and Invoices');
    await see(page, "We couldn't open the billing page. Please try again.");
    await expect.poll(() => page.title()).toBe('Dashboard · Daylift');
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
    await signIn(page, await pages.subscriber());
    await see(page, 'Hello, Ada');
    expect(await page.evaluate(() => sessionStorage.getItem('pending_signup'))).toBeNull();
  });
});

describe('A change saved after the user has moved on', () => {
  test.each([
    ['gave the form up', 'Cancel', 'button'],
    ['is on another tab', 'Overview', 'tab'],
  ] as const)('is reported to a user who %s', async (_case, name, role) => {
    const page = await pages.open('/dashboard?tab=settings', { as: await pages.subscriber() });
    await press(page, 'Edit');
    await page.getByLabel('Daily message time').selectOption('06:00');
    const held = await holdCalls(page, 'PUT', '/users/me');
    await press(page, 'Save Changes');
    await expect.poll(() => held.count).toBe(1);
    await page.getByRole(role, { name }).click();
    await page.getByRole('button', { name: 'Updating...' }).waitFor({ state: 'detached' });
    held.release();
    await see(page, 'Profile updated successfully!');
  });
});

describe('Focus', () => {
  test('goes to the password when returning to the sign-in', async () => {
    const page = await pages.open('/login', { expectComplaints: failedCall });
    await signIn(page, { ...(await pages.subscriber()), password: 'a wrong one' });
    await see(page, 'Set Your Password');
    await press(page, 'Back to Sign In');
    const focused = page.locator('input:focus');
    await expect.poll(() => focused.getAttribute('name').catch(() => null)).toBe('password');
  });

  test('goes to the available actions when a click has changed the plan', async () => {
    const page = await pages.open('/dashboard?tab=plan', { as: await pages.subscriber() });
    await press(page, 'Cancel Plan');
    await press(page, 'Yes, Cancel');
    const keep = page.getByRole('button', { name: 'Keep My Plan' });
    await keep.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await see(page, 'Your plan continues.');
    await page
      .getByRole('button', { name: 'Switch to Yearly' })
      .and(page.locator(':focus'))
      .waitFor();
  });

  test('goes to the generated code', async () => {
    const page = await pages.open('/dashboard?tab=referrals', { as: await pages.subscriber() });
    await press(page, 'Generate My Referral Code');
    await page
      .getByRole('button', { name: 'Copy your referral code' })
      .and(page.locator(':focus'))
      .waitFor();
  });

  test('goes to an invalid password field and marks it', async () => {
    const page = await pages.open('/dashboard?tab=settings', { as: await pages.subscriber() });
    await press(page, 'Change Password');
    await page.getByLabel('Current password').fill('good morning');
    await page.getByLabel(/^New password/).fill('sunrise');
    await page.getByLabel('Confirm new password').fill('sunset');
    await press(page, 'Update Password');
    await see(page, 'New passwords do not match');
    const confirm = page.getByLabel('Confirm new password').and(page.locator(':focus'));
    await expect.poll(() => confirm.getAttribute('aria-invalid')).toBe('true');
  });

  test('goes to the first field when writing another message', async () => {
    const page = await pages.open('/contact');
    await mockCalls(page, '/contact', () => ({ status: 201, json: { detail: 'Thank you.' } }));
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Subject').fill('Hello');
    await page.getByLabel('Message').fill('A thought');
    await press(page, 'Send Message');
    await press(page, 'Send Another Message');
    await expect.poll(() => page.locator('input:focus').getAttribute('name')).toBe('name');
  });
});
