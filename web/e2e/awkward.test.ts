import { formatPhone } from '@daylift/ui/formats';
import { describe, expect, inject, test } from 'vitest';
import { claimsOf, signedToken } from '../../deploy/system-tests/stack-secrets.ts';
import {
  expectNoBarriers,
  failedCall,
  type Page,
  press,
  type Subscriber,
  see,
  usePages,
} from './harness.ts';
import { aVisitor, reachPreferences, submit, typedIn } from './signup-form.ts';

const pages = usePages();
const { product } = pages;
const expected = { expectComplaints: failedCall };
const sessionEnded = 'Your session has ended. Please sign in again.';

const openTab = (tab: string, person: Pick<Subscriber, 'token'>, options = {}) =>
  pages.open(`/dashboard?tab=${tab}`, { as: person, ...expected, ...options });
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('user_token'));

/** Ends a session as another browser would, and waits until the gateway rejects it. */
const endSession = async ({ token }: Pick<Subscriber, 'token'>) => {
  await product.api('POST', '/users/logout', undefined, token);
  await isRefused(token);
};
const isRefused = (token: string) =>
  expect
    .poll(async () => (await product.api('GET', '/users/me', undefined, token)).status)
    .toBe(401);

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Please sign in again' });
const signInAgain = async (page: Page, login: string, password: string) => {
  await dialog(page).getByLabel('Email or phone').fill(login);
  await dialog(page).getByLabel('Password', { exact: true }).fill(password);
  await dialog(page).getByRole('button', { name: 'Sign In' }).click();
};

/** Representative forms: how each is filled, submitted, read and confirmed. */
const forms = [
  {
    tab: 'Settings',
    fill: async (page: Page) => {
      await press(page, 'Edit');
      await page.getByLabel('Daily message time').selectOption('06:00');
      // A pending preview would open the sign-in dialog before the form is submitted.
      await page
        .getByRole('status')
        .filter({ hasText: /next text/i })
        .first()
        .waitFor();
      await page.getByText('Checking your next text').waitFor({ state: 'detached' });
    },
    send: 'Save Changes',
    kept: (page: Page) => page.getByLabel('Daily message time'),
    value: '06:00',
    thanks: 'Profile updated successfully!',
  },
  {
    tab: 'Support',
    fill: async (page: Page) => {
      await press(page, 'Contact Support');
      await page.getByLabel('Subject').fill('Hello');
      await page.getByLabel('Message').fill('A long thought');
    },
    send: 'Send Message',
    kept: (page: Page) => page.getByLabel('Message'),
    value: 'A long thought',
    thanks: /Support message sent successfully!/,
  },
  {
    tab: 'Settings',
    fill: async (page: Page) => {
      await press(page, 'Change Password');
      await page.getByLabel('Current password').fill('good morning');
      await page.getByLabel(/^New password/).fill('a new sunrise');
      await page.getByLabel(/^Confirm new/).fill('a new sunrise');
    },
    send: 'Update Password',
    kept: (page: Page) => page.getByLabel(/^Confirm new/),
    value: 'a new sunrise',
    thanks: 'Password changed successfully!',
  },
] as const;
const [settings, supportMessage] = forms;

describe('A session that expires during a form', () => {
  test('can be resumed: nothing typed is lost, and it is sent', async () => {
    const person = await pages.subscriber();
    const page = await openTab('overview', person);
    for (const { tab, fill, send, kept, value, thanks } of forms) {
      await page.getByRole('tab', { name: tab }).click();
      await fill(page);
      await endSession({ token: (await storedToken(page)) ?? '' });
      await press(page, send);
      const login = dialog(page).getByLabel('Email or phone');
      await expect.poll(() => login.inputValue()).toBe(person.email);
      await signInAgain(page, person.email, 'not this one');
      await dialog(page).getByText('Login failed. Please check your credentials.').waitFor();
      if (tab === 'Support') await expectNoBarriers(page);
      expect(await kept(page).inputValue()).toBe(value);
      await signInAgain(page, person.phone, person.password);
      await see(page, thanks);
      await dialog(page).waitFor({ state: 'detached' });
    }
  });

  test('shows nothing of the first user to another who signs in, and can be abandoned by signing out', async () => {
    const [first, second] = [
      await pages.subscriber(),
      await pages.subscriber({ name: 'Grace Evening' }),
    ];
    const page = await openTab('support', first);
    await supportMessage.fill(page);
    await endSession(first);
    await press(page, supportMessage.send);
    await signInAgain(page, second.email, second.password);
    await page.getByRole('heading', { level: 1, name: 'Hello, Grace' }).waitFor();
    await expect.poll(() => page.getByText('A long thought').count()).toBe(0);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await see(page, formatPhone(second.phone));
    expect(await page.getByText(formatPhone(first.phone)).count()).toBe(0);
    await settings.fill(page);
    await endSession({ token: (await storedToken(page)) ?? '' });
    await press(page, settings.send);
    await dialog(page).getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Sign In' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

describe('A session that ends elsewhere', () => {
  test('by signing out in another tab ends here too, whatever is open', async () => {
    const person = await pages.subscriber();
    const page = await openTab('settings', person);
    await settings.fill(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await press(other, 'Sign Out');
    await page.waitForURL(/\/login/);
    const ended = page.getByText(sessionEnded);
    await ended.waitFor();
    await page.reload();
    await ended.waitFor();
    await page.getByLabel('Email or phone').fill(person.email);
    expect(await ended.count()).toBe(1);
    await page.goBack();
    await expect.poll(() => page.getByText(formatPhone(person.phone)).count()).toBe(0);
  });

  test("by an account deletion can't be resumed, and says so", async () => {
    const person = await pages.subscriber();
    const page = await openTab('support', person);
    await supportMessage.fill(page);
    await product.api('POST', '/users/me/delete', { password: person.password }, person.token);
    await isRefused(person.token);
    await press(page, supportMessage.send);
    await signInAgain(page, person.email, person.password);
    await dialog(page).getByText('Login failed. Please check your credentials.').waitFor();
  });
});

test('A useless stored token leads to the login, is removed, and blocks no one from the page they wanted', async () => {
  const person = await pages.subscriber({}, false);
  await endSession(person);
  const secrets = { layout: { secrets: inject('secretsFile') } };
  const expiry = { iat: 1_000_000, exp: 2_000_000 };
  const useless = {
    empty: '',
    'no token': 'undefined',
    'with characters that no header may have': 'sunrise ☀\n\0',
    'with a broken middle': 'a.b.c',
    expired: signedToken(secrets, { ...claimsOf(person.token), ...expiry }),
    'of an ended session': person.token,
  };
  const page = await pages.open('/icon.svg', expected);
  for (const [name, token] of Object.entries(useless)) {
    await page.evaluate((value) => localStorage.setItem('user_token', value), token);
    await page.goto(`${product.urls.gateway}/dashboard?tab=support`);
    await page.waitForURL(/\/login/);
    await expect.poll(() => storedToken(page), { message: name }).toBeNull();
  }
  await see(page, sessionEnded);
  await expectNoBarriers(page);
  await page.getByLabel('Email or phone').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await press(page, 'Sign In');
  await page.getByRole('tab', { name: 'Support', selected: true }).waitFor();
});

test('A browser without storage, because it is told so or full, shows every page, and supports signing in and out', async () => {
  const person = await pages.subscriber();
  const page = await pages.open('/privacy', { ...expected, ownContext: true });
  await page.context().addInitScript(() => {
    if (window.name === 'full')
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
    else
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('Access is denied.', 'SecurityError');
          },
        });
  });
  for (const state of ['denied', 'full']) {
    await page.evaluate((value) => {
      window.name = value;
    }, state);
    await page.goto(`${product.urls.gateway}/`);
    await see(page, '1,288');
    await press(page, 'Dark mode');
    await page.getByRole('link', { name: 'Sign In' }).click();
    await page.getByLabel('Email or phone').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await press(page, 'Sign In');
    await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
    for (const tab of ['Settings', 'Support', 'Referrals', 'Overview'])
      await page.getByRole('tab', { name: tab }).click();
    await see(page, 'Your first text');
    await press(page, 'Sign Out');
    await page.getByRole('link', { name: 'Start Free Trial' }).click();
    await page.getByRole('heading', { name: 'Who is the text for?' }).waitFor();
  }
});

test('A browser that hides its time zone leaves the choice to the user, and says so', async () => {
  const page = await pages.open('/signup', { timezoneId: 'UTC' });
  await reachPreferences(page, aVisitor());
  expect(await typedIn(page, 'timezone')).toBe('');
  await see(page, "We couldn't detect it. Please choose your own.");
  await page.getByLabel('Delivery time').selectOption('09:00');
  await submit(page);
  await see(page, 'Please select your timezone and delivery time');
});
