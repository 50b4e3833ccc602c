import { describe, expect, test } from 'vitest';
import {
  anEmail,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  mockCalls,
  type Page,
  phone,
  press,
  type Subscriber,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;
const gateway = () => product.urls.gateway;

const small = { width: 320, height: 640 };
const onDashboard = (page: Page) => page.getByRole('tab', { name: 'Overview' }).waitFor();
const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('user_token'));
const alert = (page: Page) => page.getByRole('alert');

async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel('Email or phone').fill(login);
  await page.locator('input[name="password"]').fill(password);
  await press(page, 'Sign In');
}

describe('Signing in', () => {
  test('is accessible at 320 px, and links visitors to the signup', async () => {
    const page = await pages.open('/login', { viewport: small });
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
    expect(await page.title()).toBe('Sign in · Daylift');
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Start your free trial' }).click();
    await page.waitForURL(/\/signup$/);
  });

  test('accepts the email in capitals, shows progress during a slow call, and calls once', async () => {
    const person = await pages.subscriber({}, false);
    const page = await pages.open('/login');
    const held = await holdCalls(page, 'POST', '/users/login');
    await page.getByLabel('Email or phone').fill(` ${person.email.toUpperCase()} `);
    await page.locator('input[name="password"]').fill(person.password);
    await page.getByRole('button', { name: 'Sign In' }).dblclick();
    await page.locator('button[data-loading]').waitFor();
    await expect.poll(() => held.count).toBe(1);
    held.release();
    await onDashboard(page);
    expect(held.count).toBe(1);
    for (const address of ['/login', '/login/', '/LOGIN']) {
      await page.goto(`${gateway()}${address}`);
      await page.waitForURL(/\/dashboard$/);
    }
  });

  test('explains a broken service, a lost connection, and a paused account', async () => {
    const person = await pages.subscriber({}, false);
    const page = await pages.open('/login', { expectComplaints: failedCall });
    const restore = await failCalls(page, 'POST', '/users/login');
    await signIn(page, person.email, person.password);
    await see(page, 'Login failed. Please check your credentials.');
    await expect.poll(() => page.getByText('internal words').count()).toBe(0);
    await expectNoBarriers(page);
    restore();
    await page.context().setOffline(true);
    await press(page, 'Sign In');
    await alert(page).getByText('You seem to be offline.').waitFor();
    await page.context().setOffline(false);
    // Mocks the response for a subscriber paused by an operator.
    await mockCalls(page, '/users/login', () => ({
      status: 403,
      json: {
        detail: 'This account is paused. Please contact support.',
        code: 'ACCOUNT_PAUSED',
        request_id: 'r',
      },
    }));
    await press(page, 'Sign In');
    await alert(page).getByText('This account is paused.').waitFor();
    await see(page, 'Login failed. Please check your credentials.');
    expect(await tokenOf(page)).toBeNull();
  });
});

/** Waits for the only code that was texted. */
async function codeTextedTo({ phone: number }: Subscriber): Promise<string> {
  let codes: string[] = [];
  const readCodes = async () => {
    codes = (await product.texts(number)).flatMap(
      ({ text }) => /\b\d{6}\b(?= is your code)/.exec(text) ?? [],
    );
    return codes.length;
  };
  await expect.poll(readCodes, { timeout: 20_000 }).toBe(1);
  return codes[0] ?? '';
}

/** Fails one sign-in, then chooses a new password and requests a code. */
async function requestCode(page: Page, login: string): Promise<void> {
  await signIn(page, login, 'not this one');
  await page.getByRole('heading', { level: 1, name: 'Set Your Password' }).waitFor();
  await expect.poll(() => page.getByLabel('Email or phone').inputValue()).toBe(login);
  await page.locator('input[name="new-password"]').fill('a new morning');
  await press(page, 'Send Me a Code');
  await page.getByLabel('6-digit code').waitFor();
}
const giveCode = async (page: Page, code: string) => {
  await page.getByLabel('6-digit code').fill(code);
  await press(page, 'Set Password and Sign In');
};
const failed =
  'Failed to set password. Please ensure you entered the correct email or phone number you used during signup.';
const sent = 'If you have an account with us, a code is on its way to your phone or email.';
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('Setting a password', () => {
  test('after a failed login takes two steps with a texted code, and explains a wrong one, accessibly at 320 px', async () => {
    const person = await pages.subscriber();
    const page = await pages.open('/login', { viewport: small, expectComplaints: failedCall });
    await requestCode(page, person.phone);
    const codeField = page.getByLabel('6-digit code');
    const isFocused = () => codeField.and(page.locator(':focus')).waitFor();
    await isFocused();
    await see(page, sent);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    const code = await codeTextedTo(person);
    await press(page, 'Send a New Code');
    await see(page, 'We send at most one code per minute.');
    await isFocused();
    await giveCode(page, another(code));
    await see(page, failed);
    await see(page, 'This code is incorrect or has expired. Please request a new one.');
    await isFocused();
    await giveCode(page, `${code.slice(0, 3)} ${code.slice(3)}`);
    await onDashboard(page);
    expect(await codeTextedTo(person)).toBe(code);
    await product.login(person.email, 'a new morning');
    const login = { login: person.email, password: person.password };
    expect((await product.api('POST', '/users/login', login)).status).toBe(401);
  });

  test("requires six characters, six digits, and an address, each with a message, and doesn't reveal whether an account exists", async () => {
    const page = await pages.open('/login', { expectComplaints: failedCall });
    const unknown = anEmail();
    await signIn(page, unknown, 'not this one');
    await press(page, 'Send Me a Code');
    await see(page, 'Password must be at least 6 characters long');
    await page.locator('input[name="new-password"]:focus').waitFor();
    await page.locator('input[name="new-password"]').fill('short');
    await press(page, 'Send Me a Code');
    await see(page, 'Password must be at least 6 characters long');
    await expectNoBarriers(page);
    await page.locator('input[name="new-password"]').fill('long enough');
    await page.getByLabel('Email or phone').fill('');
    await press(page, 'Send Me a Code');
    await see(page, 'Please fill in all required fields');
    await page.getByLabel('Email or phone').fill(unknown);
    await press(page, 'Send Me a Code');
    await see(page, sent);
    await giveCode(page, '12345');
    await see(page, 'Enter the 6-digit code');
    await giveCode(page, '123456');
    await see(page, failed);
    await press(page, 'Back to Sign In');
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
    expect(await page.getByLabel('Email or phone').inputValue()).toBe(unknown);
    await page.locator('input[name="password"]:focus').waitFor();
  });

  test('is possible without guessing first, and explains a broken service, in either step', async () => {
    const person = await pages.subscriber();
    const page = await pages.open('/login', { viewport: phone, expectComplaints: failedCall });
    await press(page, 'Forgot your password?');
    await page.getByRole('heading', { level: 1, name: 'Set Your Password' }).waitFor();
    expect(await page.getByText("don't match").count()).toBe(0);
    await expectNoBarriers(page);
    await page.keyboard.type(person.email);
    await page.locator('input[name="new-password"]').fill('a new morning');
    const restore = await failCalls(page, 'POST', '/users/set-password');
    await press(page, 'Send Me a Code');
    await alert(page).getByText(failed, { exact: true }).waitFor();
    restore();
    await press(page, 'Send Me a Code');
    const code = await codeTextedTo(person);
    const restoreLogin = await failCalls(page, 'POST', '/users/login');
    await giveCode(page, code);
    await see(page, 'Your new password is set. Please sign in with it.');
    restoreLogin();
    await signIn(page, person.email, 'a new morning');
    await onDashboard(page);
  });
});

test('the dashboard requires a session, and then opens the requested tab', async () => {
  const person = await pages.subscriber({}, false);
  const page = await pages.open('/dashboard');
  await page.waitForURL(/\/login$/);
  await page.goto(`${gateway()}/dashboard?tab=referrals`);
  await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
  await page.reload();
  await signIn(page, person.email, person.password);
  await page.getByRole('tab', { name: 'Referrals', selected: true }).waitFor();
  expect(await tokenOf(page)).not.toBeNull();
});
