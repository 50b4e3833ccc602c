import { describe, expect, it } from 'vitest';
import { anAdmin, codeOf, logIn, type TestAdmin } from '../../deploy/system-tests/admins.ts';
import {
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  narrow,
  type Page,
  phone,
  press,
  see,
  useAdminPages,
} from './harness.ts';

const { product, open, openAdmin, owner } = useAdminPages();
const refused = /status of (400|401|409|422|429|500)/;

const enter = async (page: Page, username: string, password: string) => {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign In');
};
const enterCode = async (page: Page, code: string) => {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await press(page, 'Sign In');
};
const isIn = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor({ state: 'attached' });
const loginPage = () => open('/admin/login', { expectComplaints: refused });
const account = (of: TestAdmin) =>
  openAdmin('/admin/account', { token: of.token, expectComplaints: refused });

const beginSetUp = async (page: Page, password: string) => {
  await page.getByLabel('Your password', { exact: true }).fill(password);
  await press(page, 'Set up');
};

/** Sets up two-step sign-in on the page. Returns the secret and the recovery codes that it showed. */
async function setUp(page: Page, password: string) {
  await beginSetUp(page, password);
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const secret = (await page.getByLabel('Key', { exact: true }).textContent()) ?? '';
  const code = page.getByLabel('Code', { exact: true });
  await page.locator(':focus').and(code).waitFor();
  await code.fill(codeOf(secret));
  await press(page, 'Turn on');
  await see(page, 'Two-step sign-in is on');
  const codes = ((await page.getByLabel('Recovery codes').textContent()) ?? '').split('\n');
  return { secret, codes };
}

describe('the login', () => {
  it("reports missing input, wrong credentials and the server's errors, and accepts the right password", async () => {
    const vera = await anAdmin(product, owner(), 'viewer');
    const page = await loginPage();
    await page.locator('input:focus').and(page.getByLabel('Username')).waitFor();
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport);
      await expectNoBarriers(page);
    }
    await press(page, 'Sign In');
    await see(page, 'Enter your username');
    await see(page, 'Enter your password');
    const restore = await failCalls(page, 'POST', '/admin/login');
    await enter(page, 'owner', 'any password');
    await see(page, /internal words/);
    expect(await page.getByText('Invalid credentials').count()).toBe(0);
    restore();
    for (const name of [vera.username, 'nobody-of-us']) {
      const responded = page.waitForResponse('**/api/admin/login');
      await enter(page, name, 'not the password');
      await responded;
      await see(page, 'Invalid credentials');
      // A busy button is disabled, which moves the focus to the body.
      await page
        .locator(':focus')
        .and(page.getByRole('button', { name: 'Sign In' }))
        .waitFor();
      await expect.poll(() => page.getByLabel('Code', { exact: true }).count()).toBe(0);
    }
    await enter(page, vera.username, vera.password);
    await isIn(page);
  });

  it('slows down guessing, and says so', async () => {
    const vera = await anAdmin(product, owner(), 'viewer');
    for (let tried = 0; tried < 5; tried += 1)
      await product.api('POST', '/admin/login', { username: vera.username, password: 'wrong' });
    const page = await loginPage();
    await enter(page, vera.username, vera.password);
    await see(page, /Too many attempts/);
  });
});

describe('Two-step sign-in', () => {
  it('is set up with a QR code, required at the next sign-in, and turned off', async () => {
    const vera = await anAdmin(product, owner(), 'operator');
    const page = await account(vera);
    const begins = await failCalls(page, 'POST', '/admin/me/totp');
    await beginSetUp(page, vera.password);
    await see(page, 'Error setting up two-step sign-in');
    begins();
    await beginSetUp(page, 'not the password');
    await see(page, 'Your current password is incorrect.');
    await beginSetUp(page, vera.password);
    await page.getByLabel('Key', { exact: true }).waitFor();
    for (const viewport of [desktop, narrow, phone]) {
      await page.setViewportSize(viewport);
      await expectNoSidewaysScroll(page);
      if (viewport !== narrow) await expectNoBarriers(page);
    }
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await press(page, 'Turn on');
    await see(page, 'This code is incorrect');
    await press(page, 'Cancel');
    const password = page.getByLabel('Your password', { exact: true });
    await page.locator('input:focus').and(password).waitFor();
    expect(await password.inputValue()).toBe('');
    const { secret, codes } = await setUp(page, vera.password);
    expect(codes).toHaveLength(8);
    await press(page, "I've saved them");
    await see(page, '8 of 8 recovery codes left');

    const login = await loginPage();
    await enter(login, vera.username, vera.password);
    await see(login, 'Enter your 6-digit code');
    await enterCode(login, '000000');
    await see(login, 'Invalid credentials');
    // Each code works once; the next one is accepted early, and still is if its interval starts now.
    await enterCode(login, codeOf(secret, 1));
    await isIn(login);

    await login.evaluate(() => localStorage.clear());
    await login.goto(`${product.urls.gateway}/admin/login`);
    await enter(login, vera.username, vera.password);
    await enterCode(login, codes[0] ?? '');
    await isIn(login);

    await page.reload();
    await see(page, '7 of 8 recovery codes left');
    const turnOff = page.getByRole('button', { name: 'Turn off two-step sign-in' });
    await turnOff.click();
    await page
      .locator('input:focus')
      .and(page.getByLabel('Password', { exact: true }))
      .waitFor();
    await press(page, 'Cancel');
    await page.locator('button:focus').and(turnOff).waitFor();
    await turnOff.click();
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
    await press(page, 'Turn off');
    await see(page, 'Your current password is incorrect.');
    await page.getByLabel('Password', { exact: true }).fill(vera.password);
    const restore = await failCalls(page, 'POST', '/admin/me/totp/disable');
    await press(page, 'Turn off');
    await see(page, 'Error turning off two-step sign-in');
    restore();
    await press(page, 'Turn off');
    await see(page, 'Two-step sign-in is off.');
    await logIn(product, vera);
  });

  it('is removed by an owner for an admin who lost the phone', async () => {
    const vera = await anAdmin(product, owner(), 'viewer');
    await setUp(await account(vera), vera.password);
    const page = await openAdmin('/admin/settings/admins');
    await page
      .getByRole('button', { name: `Turn off two-step: ${vera.username}`, exact: true })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off two-step' }).click();
    await see(page, `Two-step sign-in is off for ${vera.username}.`);
    await logIn(product, vera);
  });
});

describe('the account page', () => {
  it('changes the password: all other sessions end, this one continues', async () => {
    const vera = await anAdmin(product, owner(), 'viewer');
    const page = await account(vera);
    const change = async (current: string, next: string, confirmation = next) => {
      await page.getByLabel('Current password', { exact: true }).fill(current);
      await page.getByLabel('New password', { exact: true }).fill(next);
      await page.getByLabel('Confirm new password', { exact: true }).fill(confirmation);
      await press(page, 'Change Password');
    };
    await change(vera.password, 'short', 'other');
    await see(page, 'Use at least 12 characters');
    await see(page, 'Passwords do not match');
    await change('not the password', 'another bright morning');
    await see(page, 'Your current password is incorrect.');
    await change(vera.password, 'another bright morning');
    await see(page, "Password changed. You're signed out on all other devices.");
    await expect
      .poll(async () => (await product.api('GET', '/admin/me', undefined, vera.token)).status)
      .toBe(401);
    await page.reload();
    await see(page, `Signed in as ${vera.username}`);
    await expect(logIn(product, vera)).rejects.toThrow('401');
  });
});
