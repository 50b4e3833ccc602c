import { formatPhone } from '@daylift/ui/formats';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { claimsOf, signedToken } from '../../deploy/system-tests/stack-secrets.ts';
import {
  aPhone,
  expectNoBarriers,
  failedCall,
  type Page,
  press,
  type Subscriber,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;
const expected = { expectComplaints: failedCall };

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
    name: 'the settings',
    tab: 'settings',
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
    name: 'a letter to support',
    tab: 'support',
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
    name: 'a change of the password',
    tab: 'settings',
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

describe('A session that expires during', () => {
  test.each(forms)('$name can be resumed: nothing typed is lost, and it is sent', async (form) => {
    const person = await pages.subscriber();
    const page = await openTab(form.tab, person);
    await form.fill(page);
    await endSession(person);
    await press(page, form.send);
    await dialog(page).waitFor();
    await expect
      .poll(() => dialog(page).getByLabel('Email or phone').inputValue())
      .toBe(person.email);
    await signInAgain(page, person.email, 'not this one');
    await dialog(page).getByText('Login failed. Please check your credentials.').waitFor();
    await expectNoBarriers(page);
    await expect.poll(() => form.kept(page).inputValue()).toBe(form.value);
    await signInAgain(page, person.phone, person.password);
    await see(page, form.thanks);
    await dialog(page).waitFor({ state: 'detached' });
  });

  test('a form shows nothing of the first user to another who signs in', async () => {
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
    await expect.poll(() => page.getByText(formatPhone(first.phone)).count()).toBe(0);
  });

  test('a form can be abandoned by signing out', async () => {
    const person = await pages.subscriber();
    const page = await openTab('support', person);
    await supportMessage.fill(page);
    await endSession(person);
    await press(page, supportMessage.send);
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
    await see(page, 'Your session has ended. Please sign in again.');
    await page.goBack();
    await expect.poll(() => page.getByText(formatPhone(person.phone)).count()).toBe(0);
  });

  test("by an account deletion can't be resumed, and says so", async () => {
    const person = await pages.subscriber();
    const [writing, reading] = [
      await openTab('support', person),
      await openTab('settings', person),
    ];
    await supportMessage.fill(writing);
    await see(reading, formatPhone(person.phone));
    await product.api('POST', '/users/me/delete', { password: person.password }, person.token);
    await isRefused(person.token);
    await press(writing, supportMessage.send);
    await signInAgain(writing, person.email, person.password);
    await dialog(writing).getByText('Login failed. Please check your credentials.').waitFor();
    await reading.getByRole('tab', { name: 'Overview' }).click();
    await reading.waitForURL(/\/login/);
    expect(await storedToken(reading)).toBeNull();
  });
});

describe('A stored token', () => {
  const secrets = { layout: { secrets: inject('secretsFile') } };
  const useless: [string, (person: Subscriber) => string][] = [
    ['that is empty', () => ''],
    ['that is no token', () => 'undefined'],
    ['of characters that no header may have', () => 'sunrise ☀\n\0'],
    ['with a broken middle', () => 'a.b.c'],
    [
      'that has expired',
      ({ token }) => signedToken(secrets, { ...claimsOf(token), iat: 1_000_000, exp: 2_000_000 }),
    ],
  ];
  let person: Subscriber;
  beforeAll(async () => {
    person = await pages.subscriber({}, false);
  });
  test.each(useless)('%s leads to the login, is removed, and blocks no one', async (_, make) => {
    const page = await openTab('overview', { token: make(person) });
    await page.waitForURL(/\/login/);
    await expect.poll(() => storedToken(page)).toBeNull();
    await page.getByLabel('Email or phone').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await press(page, 'Sign In');
    await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
  });
});

describe('A browser without storage', () => {
  const refusals: [string, () => void][] = [
    [
      'because it is told so',
      () => {
        for (const name of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, name, {
            get: () => {
              throw new DOMException('Access is denied.', 'SecurityError');
            },
          });
      },
    ],
    [
      'because it is full',
      () => {
        Storage.prototype.setItem = () => {
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        };
      },
    ],
  ];
  test.each(refusals)('%s shows every page, and supports signing in and out', async (_, refuse) => {
    const person = await pages.subscriber();
    const page = await pages.open('/privacy', { ...expected, ownContext: true });
    await page.context().addInitScript(refuse);
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
    await page.getByRole('link', { name: 'Start Free Trial' }).waitFor();
    await page.goto(`${product.urls.gateway}/signup`);
    await page.getByRole('heading', { name: 'Who is the text for?' }).waitFor();
  });
});

describe('A browser with no time zone, UTC or an unknown one', () => {
  test('leaves the choice to the user, and says so', async () => {
    const { token } = await pages.subscriber();
    const page = await pages.open('/privacy', { ownContext: true });
    await page.context().addInitScript(() => {
      const options = Intl.DateTimeFormat.prototype.resolvedOptions;
      Intl.DateTimeFormat.prototype.resolvedOptions = function resolved() {
        const timeZone = sessionStorage.getItem('zone') ?? undefined;
        return { ...options.call(this), timeZone: timeZone as string };
      };
    });
    for (const zone of [null, 'UTC', 'Etc/Unknown']) {
      await page.evaluate((stored) => {
        localStorage.clear();
        sessionStorage.clear();
        if (stored !== null) sessionStorage.setItem('zone', stored);
      }, zone);
      await page.goto(`${product.urls.gateway}/signup`);
      await page.getByLabel('Full name').fill('Ada Morning');
      await page.getByLabel('Email').fill('ada@example.com');
      await page.getByLabel('Phone number').fill(aPhone());
      await page.getByLabel(/^Password/).fill('good morning');
      await page.getByLabel('Confirm password').fill('good morning');
      await press(page, 'Continue');
      await expect.poll(() => page.getByLabel('Timezone').inputValue()).toBe('');
      await see(page, "We couldn't detect it. Please choose your own.");
      await page.getByLabel('Delivery time').selectOption('09:00');
      await press(page, 'Start');
      await see(page, 'Please select your timezone and delivery time');

      await page.evaluate((value) => localStorage.setItem('user_token', value), token);
      await page.goto(`${product.urls.gateway}/dashboard`);
      await see(page, 'Your first text');
      await expect.poll(() => page.getByRole('region', { name: 'Time zone' }).count()).toBe(0);
    }
  });
});
