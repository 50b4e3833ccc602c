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
  useDashboard,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;
const { reader } = useDashboard(pages);

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

  test("clears its fields by Cancel, is validated before it is sent, and shows the server's reason or a general error", async () => {
    const person = await pages.subscriber({}, false);
    const page = await open(person, { viewport: phone, expectComplaints: failedCall });
    const sent = countCalls(page, '/users/me/change-password');
    await card(page).getByText('••••••••').waitFor();
    await press(page, 'Change Password');
    await page.getByLabel('Current password').and(page.locator(':focus')).waitFor();
    for (const label of [/^Current password/, /^New password/, /^Confirm new password/])
      expect(await page.getByLabel(label).getAttribute('type')).toBe('password');
    await page.getByLabel('Current password').fill('good morning');
    await press(page, 'Cancel');
    await card(page).getByText('••••••••').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Change Password');
    await press(page, 'Change Password');
    expect(await page.getByLabel('Current password').inputValue()).toBe('');
    const problem = (words: string) =>
      card(page).getByRole('alert').filter({ hasText: words }).waitFor();
    await type(page, 'good morning', '', '');
    await problem('Please fill in all required fields');
    await type(page, 'good morning', 'dawn!');
    await problem('Password must be at least 6 characters long');
    await type(page, 'not this one', 'a new sunrise', 'sunset');
    await problem('New passwords do not match');
    const confirm = page.getByLabel(/^Confirm new/);
    await confirm.and(page.locator(':focus')).waitFor();
    expect(await confirm.getAttribute('aria-invalid')).toBe('true');
    await expectNoBarriers(page);
    await expectNoSidewaysScroll(page);
    expect(sent.count).toBe(0);
    await confirm.fill('a new sunrise');
    await press(page, 'Update Password');
    await see(page, 'Your current password is incorrect.');
    const restore = await failCalls(page, 'POST', '/users/me/change-password');
    await press(page, 'Update Password');
    await see(page, 'Failed to change password');
    expect(await page.getByText('internal words').count()).toBe(0);
    expect(await confirm.inputValue()).toBe('a new sunrise');
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

test('All data can be downloaded as one file, once by a double click, and again after a failure', async () => {
  const person = reader();
  const page = await open(person, { expectComplaints: failedCall });
  const button = page.getByRole('button', { name: 'Download My Data' });
  const restore = await failCalls(page, 'GET', '/users/me/export');
  const held = await holdCalls(page, 'GET', '/users/me/export');
  await button.dblclick();
  await see(page, 'Preparing your data...');
  held.release();
  await see(page, "We couldn't prepare your data. Please try again.");
  expect(held.count).toBe(1);
  await expectNoBarriers(page);
  restore();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const day = (await product.now()).toISOString().slice(0, 10);
  expect(download.suggestedFilename()).toBe(`daylift-data-${day}.json`);
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as UserExport;
  expect(data.account).toMatchObject({ name: person.name, email: person.email });
  for (const part of [data.billing, data.schedule, data.texts])
    expect(Object.keys(part).length).toBeGreaterThan(0);
  await see(page, 'Your data has been downloaded.');
  await expect.poll(() => page.getByText('prepare your data. Please').count()).toBe(0);
});

describe('Delete my account', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete your account?' });
  const sure = (page: Page) => dialog(page).getByRole('button', { name: 'Delete for Good' });

  test('requires the password, can be canceled by button and Escape, and is locked and sent once while the request runs', async () => {
    const person = await pages.subscriber({}, false);
    const page = await open(person, { viewport: phone, expectComplaints: failedCall });
    const sent = countCalls(page, '/users/me/delete');
    const password = dialog(page).getByLabel('Your password');
    const isFocused = () => password.and(page.locator(':focus')).waitFor();
    await press(page, 'Delete My Account');
    await dialog(page).getByText("This can't be undone.").waitFor();
    await isFocused();
    await expectNoSidewaysScroll(page);
    await sure(page).click();
    await dialog(page).getByText('Please fill in all required fields').waitFor();
    await isFocused();
    await expectNoBarriers(page);
    expect(sent.count).toBe(0);
    await password.fill('not this one');
    await sure(page).click();
    await dialog(page).getByText('Your password is incorrect.').waitFor();
    await isFocused();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Delete My Account');
    await press(page, 'Delete My Account');
    await expect.poll(() => password.inputValue()).toBe('');
    expect(await dialog(page).getByText('Your password is incorrect.').count()).toBe(0);
    const keep = dialog(page).getByRole('button', { name: 'Keep my account' });
    await keep.click();
    await dialog(page).waitFor({ state: 'hidden' });
    await failCalls(page, 'POST', '/users/me/delete');
    const held = await holdCalls(page, 'POST', '/users/me/delete');
    await press(page, 'Delete My Account');
    await password.fill(person.password);
    await sure(page).dblclick();
    await page.locator('button[data-loading]').waitFor();
    await password.press('Enter');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect.poll(() => keep.isDisabled()).toBe(true);
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
