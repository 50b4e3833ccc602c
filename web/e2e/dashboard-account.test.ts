import { readFile } from 'node:fs/promises';
import type { UserExport } from '@daylift/contracts/accounts.http';
import { describe, expect, inject, test } from 'vitest';
import { stripeKeyOf } from '../../deploy/system-tests/stack-secrets.ts';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  type Page,
  phone,
  press,
  type Subscriber,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;

const open = (person: Pick<Subscriber, 'token'>, options = {}) =>
  pages.open('/dashboard?tab=settings', { as: person, ...options });
const isOpenTo = async (token: string) =>
  (await product.api('GET', '/users/me', undefined, token)).status === 200;
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('user_token'));

const countCalls = (page: Page, path: string) => {
  const sent = { count: 0 };
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api${path}`) sent.count += 1;
  });
  return sent;
};

describe('A password change', () => {
  const card = (page: Page) => page.getByRole('region', { name: 'Account Security' });
  const type = async (page: Page, current: string, next: string, confirm = next) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel(/^New password/).fill(next);
    await page.getByLabel(/^Confirm new/).fill(confirm);
    await press(page, 'Update Password');
  };

  test('opens from a masked password, closes by Cancel, and clears the fields', async () => {
    const page = await open(await pages.subscriber(), { viewport: phone });
    await card(page).getByText('••••••••').waitFor();
    await press(page, 'Change Password');
    await page.getByLabel('Current password').and(page.locator(':focus')).waitFor();
    for (const label of [/^Current password/, /^New password/, /^Confirm new password/])
      await expect.poll(() => page.getByLabel(label).getAttribute('type')).toBe('password');
    await page.getByLabel('Current password').fill('good morning');
    await expectNoBarriers(page);
    await expectNoSidewaysScroll(page);
    await press(page, 'Cancel');
    await card(page).getByText('••••••••').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Change Password');
    await press(page, 'Change Password');
    await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('');
  });

  test('is validated before it is sent: all three, same password, six characters', async () => {
    const page = await open(await pages.subscriber());
    const sent = countCalls(page, '/users/me/change-password');
    await press(page, 'Change Password');
    for (const [current, next, confirm, words] of [
      ['', 'sunrise', 'sunrise', 'Please fill in all required fields'],
      ['good morning', '', '', 'Please fill in all required fields'],
      ['good morning', 'sunrise', '', 'Please fill in all required fields'],
      ['good morning', 'sunrise', 'sunset', 'New passwords do not match'],
      ['good morning', 'dawn!', 'dawn!', 'Password must be at least 6 characters long'],
    ] as const) {
      await type(page, current, next, confirm);
      await card(page).getByRole('alert').filter({ hasText: words }).waitFor();
    }
    await expectNoBarriers(page);
    expect(sent.count).toBe(0);
  });

  test("shows the server's reason or a general error, and keeps the fields", async () => {
    const person = await pages.subscriber();
    const page = await open(person, { expectComplaints: failedCall });
    await press(page, 'Change Password');
    await type(page, 'not this one', 'a new sunrise');
    await see(page, 'Your current password is incorrect.');
    const restore = await failCalls(page, 'POST', '/users/me/change-password');
    await press(page, 'Update Password');
    await see(page, 'Failed to change password');
    await expect.poll(() => page.getByText('internal words').count()).toBe(0);
    await expect.poll(() => page.getByLabel(/^Confirm new/).inputValue()).toBe('a new sunrise');
    restore();
    await type(page, person.password, 'a new sunrise');
    await see(page, 'Password changed successfully!');
  });

  test('is sent once by a double click, ends other sessions, and continues here in every tab', async () => {
    const person = await pages.subscriber();
    const page = await open(person);
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    const otherDevice = await open(
      { token: await product.login(person.email, person.password) },
      { expectComplaints: failedCall },
    );
    await see(otherDevice, 'Account Security');
    const held = await holdCalls(page, 'POST', '/users/me/change-password');
    await press(page, 'Change Password');
    await page.getByLabel('Current password').fill(person.password);
    await page.getByLabel(/^New password/).fill('a new sunrise');
    await see(page, /Strength: (Fair|Strong)/);
    await page.getByLabel(/^Confirm new/).fill('a new sunrise');
    await page.getByRole('button', { name: 'Update Password' }).dblclick();
    await page.getByLabel(/^Confirm new/).press('Enter');
    held.release();
    await see(page, 'Password changed successfully!');
    expect(held.count).toBe(1);
    await card(page).getByText('••••••••').waitFor();
    await expect.poll(() => isOpenTo(person.token)).toBe(false);

    await otherDevice.getByRole('tab', { name: 'Overview' }).click();
    await otherDevice.waitForURL(/\/login/);
    await see(otherDevice, 'Your session has ended. Please sign in again.');
    for (const own of [page, tab]) {
      await own.reload();
      await see(own, 'Account Security');
    }
    expect((await storedToken(tab)) === person.token).toBe(false);
    await product.login(person.email, 'a new sunrise');
  });
});

describe('Download my data', () => {
  const button = (page: Page) => page.getByRole('button', { name: 'Download My Data' });

  test('saves one file, named after product and day, with all data', async () => {
    const person = await pages.subscriber();
    const page = await open(person);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page).click()]);
    const day = (await product.now()).toISOString().slice(0, 10);
    expect(download.suggestedFilename()).toBe(`daylift-data-${day}.json`);
    const data = JSON.parse(await readFile(await download.path(), 'utf8')) as UserExport;
    expect(data.account).toMatchObject({ name: person.name, email: person.email });
    for (const part of [data.billing, data.schedule, data.texts])
      expect(Object.keys(part).length).toBeGreaterThan(0);
    await see(page, 'Your data has been downloaded.');
  });

  test('is requested once by a double click, and explains a failure and a limit', async () => {
    const page = await open(await pages.subscriber(), { expectComplaints: failedCall });
    const restore = await failCalls(page, 'GET', '/users/me/export');
    const held = await holdCalls(page, 'GET', '/users/me/export');
    await button(page).dblclick();
    await see(page, 'Preparing your data...');
    held.release();
    await see(page, "We couldn't prepare your data. Please try again.");
    expect(held.count).toBe(1);
    await expectNoBarriers(page);
    restore();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page).click()]);
    expect(await download.failure()).toBeNull();
    await see(page, 'Your data has been downloaded.');
    await expect.poll(() => page.getByText('prepare your data. Please').count()).toBe(0);
  });
});

describe('Delete my account', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete your account?' });
  const sure = (page: Page) => dialog(page).getByRole('button', { name: 'Delete for Good' });

  test('lists what is deleted, requires the password, and can be canceled by button and Escape', async () => {
    const person = await pages.subscriber();
    const page = await open(person, { viewport: phone, expectComplaints: failedCall });
    const sent = countCalls(page, '/users/me/delete');
    await press(page, 'Delete My Account');
    await dialog(page).getByText("This can't be undone.").waitFor();
    await dialog(page).getByLabel('Your password').and(page.locator(':focus')).waitFor();
    await expectNoBarriers(page);
    await expectNoSidewaysScroll(page);
    await sure(page).click();
    await dialog(page).getByText('Please fill in all required fields').waitFor();
    await dialog(page).getByLabel('Your password').and(page.locator(':focus')).waitFor();
    expect(sent.count).toBe(0);
    await dialog(page).getByLabel('Your password').fill('not this one');
    await sure(page).click();
    await dialog(page).getByText('Your password is incorrect.').waitFor();
    await dialog(page).getByLabel('Your password').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Delete My Account');
    await press(page, 'Delete My Account');
    await expect.poll(() => dialog(page).getByLabel('Your password').inputValue()).toBe('');
    await expect.poll(() => dialog(page).getByText('Your password is incorrect.').count()).toBe(0);
    await press(page, 'Keep my account');
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await isOpenTo(person.token)).toBe(true);
  });

  test('is locked while the request runs, sent once, and reopens after a failure', async () => {
    const person = await pages.subscriber();
    const page = await open(person, { expectComplaints: failedCall });
    await failCalls(page, 'POST', '/users/me/delete');
    const held = await holdCalls(page, 'POST', '/users/me/delete');
    await press(page, 'Delete My Account');
    await dialog(page).getByLabel('Your password').fill(person.password);
    await sure(page).dblclick();
    await page.locator('button[data-loading]').waitFor();
    await dialog(page).getByLabel('Your password').press('Enter');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect
      .poll(() => dialog(page).getByRole('button', { name: 'Keep my account' }).isDisabled())
      .toBe(true);
    held.release();
    await dialog(page).getByText("We couldn't delete your account. Please try again.").waitFor();
    expect(held.count).toBe(1);
    expect(await isOpenTo(person.token)).toBe(true);
  });

  test('shows a goodbye page, signs out every tab, and ends the subscription', async () => {
    const person = await pages.subscriber();
    const books = await subscriptionsOf(person.email);
    expect((await books()).map(({ status }) => status)).toEqual(['trialing']);
    const page = await open(person);
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await see(tab, 'Account Security');
    await press(page, 'Delete My Account');
    await dialog(page).getByLabel('Your password').fill(person.password);
    await page.keyboard.press('Enter');
    await see(page, 'Your account has been deleted.');
    expect(new URL(page.url()).pathname).toBe('/goodbye');
    await page.getByRole('link', { name: 'Sign In' }).waitFor();
    expect(await storedToken(page)).toBeNull();
    await expectNoBarriers(page);
    await tab.waitForURL(/\/login/);
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await page.getByRole('heading', { level: 1, name: /A kind word/ }).waitFor();

    await expect.poll(() => isOpenTo(person.token)).toBe(false);
    await product.settle();
    expect((await books()).map(({ status }) => status)).toEqual(['canceled']);
    const login = { login: person.email, password: person.password };
    expect((await product.api('POST', '/users/login', login)).status).toBe(401);
  });

  /** Reads the provider's records. The address may be gone later. */
  const subscriptionsOf = async (email: string) => {
    const read = async <T>(path: string): Promise<T[]> => {
      const headers = {
        authorization: `Bearer ${stripeKeyOf({ layout: { secrets: inject('secretsFile') } })}`,
      };
      const response = await fetch(`${product.urls.sandbox}/v1/${path}`, { headers });
      return ((await response.json()) as { data: T[] }).data;
    };
    const query = `customers?email=${encodeURIComponent(email)}`;
    const [customer] = await read<{ id: string }>(query);
    return () => read<{ status: string }>(`subscriptions?customer=${customer?.id}&status=all`);
  };
});
