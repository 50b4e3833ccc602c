import { randomUUID } from 'node:crypto';
import type { AdminAccount } from '@daylift/contracts/admins.http';
import { describe, expect, inject, it } from 'vitest';
import { anAdmin, logIn, type Role, type TestAdmin } from '../../deploy/system-tests/admins.ts';
import {
  desktop,
  expectNoBarriers,
  failCalls,
  mockCalls,
  type Page,
  phone,
  press,
  see,
  useAdminPages,
} from './harness.ts';

const { product, open, openAdmin, owner } = useAdminPages();
const tab = '/admin/settings/admins';
const refused = /status of (400|401|403|409|422|500)/;

const inviteAdmin = (role: Role) => anAdmin(product, owner(), role);
const rowOf = (page: Page, { username }: Pick<TestAdmin, 'username'>) =>
  page.getByRole('row').filter({ hasText: username });
const choose = (page: Page, label: string, { username }: TestAdmin) =>
  page.getByRole('button', { name: `${label}: ${username}`, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog');
const confirm = (page: Page, label: string) =>
  dialog(page).getByRole('button', { name: label, exact: true }).click();
const isSignedIn = async (token: string) =>
  (await product.api('GET', '/admin/me', undefined, token)).status === 200;

describe('An owner', () => {
  it('invites an admin, who chooses a password with the link and signs in', async () => {
    const page = await openAdmin(tab);
    await see(page, 'This is you. Another owner can change your access.');
    const username = `vera-${randomUUID().slice(0, 8)}`;
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Email').fill(`${username}@example.com`);
    await page.getByLabel('Role', { exact: true }).selectOption('operator');
    await press(page, 'Invite');
    await see(page, `Invitation for ${username}`);
    await rowOf(page, { username }).getByText('Invited').waitFor();
    const link = (await page.getByLabel('Invitation link').textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(link).waitFor({ state: 'detached' });

    const { pathname, search, hash } = new URL(link);
    const inviteePage = await open(pathname + search + hash);
    await expect.poll(() => inviteePage.getByLabel('Username').inputValue()).toBe(username);
    await inviteePage.getByLabel('Password', { exact: true }).fill('a bright new morning');
    await inviteePage.getByLabel('Confirm password', { exact: true }).fill('a bright new morning');
    await inviteePage.getByRole('button', { name: 'Set Password and Sign In' }).click();
    await inviteePage
      .getByRole('heading', { level: 1, name: 'Dashboard' })
      .waitFor({ state: 'attached' });
    await inviteePage.getByRole('link', { name: 'Account' }).click();
    await see(inviteePage, `Signed in as ${username}, Operator`);
    await page.reload();
    await rowOf(page, { username }).getByText('Active').waitFor();
  });

  it('sees which invitation fields are invalid, that a username is taken, and that a change failed', async () => {
    const taken = await inviteAdmin('viewer');
    const page = await openAdmin(tab, { expectComplaints: refused });
    await page.getByLabel('Username').fill('V');
    await press(page, 'Invite');
    await see(page, 'Use two or more lowercase letters, digits, dots or hyphens');
    await see(page, 'Enter an email address');
    await page.getByLabel('Username').fill(taken.username);
    await page.getByLabel('Email').fill(taken.email);
    await press(page, 'Invite');
    await see(page, 'An admin with this username already exists.');
    await failCalls(page, 'POST', '/admin/admins');
    await press(page, 'Invite');
    await see(page, 'Error inviting admin');
    await choose(page, 'Deactivate', taken);
    await failCalls(page, 'PUT', `/admin/admins/${taken.id}`);
    await confirm(page, 'Deactivate');
    await dialog(page).getByText('Error changing admin').waitFor();
    await confirm(page, 'Cancel');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await isSignedIn(taken.token)).toBe(true);
  });

  it("changes a role or resets a password, which ends that admin's sessions", async () => {
    const vera = await inviteAdmin('viewer');
    const page = await openAdmin(tab);
    await choose(page, 'Change role', vera);
    await dialog(page).getByRole('radio', { name: 'Operator' }).check();
    await confirm(page, 'Change role');
    await rowOf(page, vera).getByText('Operator').waitFor();
    await expect.poll(() => isSignedIn(vera.token)).toBe(false);
    const token = await logIn(product, vera);
    const me = await product.api<{ role: string }>('GET', '/admin/me', undefined, token);
    expect(me.body.role).toBe('operator');

    await choose(page, 'Reset password', vera);
    await see(page, `${vera.username}'s current password`);
    await confirm(page, 'Create invitation');
    await see(page, `Invitation for ${vera.username}`);
    await rowOf(page, vera).getByText('Invited').waitFor();
    await expect(logIn(product, vera)).rejects.toThrow('401');
    await expect.poll(() => isSignedIn(token)).toBe(false);
  });

  it('deactivates an admin, signs out their open page immediately, and reactivates them', async () => {
    const vera = await inviteAdmin('operator');
    const veraPage = await openAdmin('/admin/sms-system/batches', {
      token: vera.token,
      expectComplaints: refused,
    });
    await veraPage.getByText('Live', { exact: true }).waitFor();
    const page = await openAdmin(tab);
    await choose(page, 'Deactivate', vera);
    await confirm(page, 'Deactivate');
    await rowOf(page, vera).getByText('Deactivated').waitFor();
    await expect.poll(() => isSignedIn(vera.token)).toBe(false);
    await see(veraPage, 'Admin login');
    expect(new URL(veraPage.url()).pathname).toBe('/admin/login');
    await veraPage.getByLabel('Username').fill(vera.username);
    await veraPage.getByLabel('Password', { exact: true }).fill(vera.password);
    await press(veraPage, 'Sign In');
    await see(veraPage, 'Invalid credentials');
    await choose(page, 'Activate', vera);
    await confirm(page, 'Activate');
    await rowOf(page, vera).getByText('Active', { exact: true }).waitFor();
    await logIn(product, vera);
  });
});

it.each(['viewer', 'operator'] as const)(
  'a %s sees who manages admins, without the list',
  async (role) => {
    const { token } = await inviteAdmin(role);
    const page = await openAdmin(tab, { token });
    await see(page, 'Only owners can manage admins');
    await expect.poll(() => page.getByRole('table').count()).toBe(0);
  },
);

it('a used or invalid invitation explains what to do', async () => {
  const used = await open(`/admin/invitation#${'a'.repeat(43)}`, { expectComplaints: refused });
  await used.getByLabel('Password', { exact: true }).fill('short');
  await press(used, 'Set Password and Sign In');
  await see(used, 'Use at least 12 characters');
  await see(used, 'Passwords do not match');
  await used.getByLabel('Password', { exact: true }).fill('a bright new morning');
  await used.getByLabel('Confirm password', { exact: true }).fill('a bright new morning');
  const restore = await failCalls(used, 'POST', '/admin/invitation');
  await press(used, 'Set Password and Sign In');
  await see(used, 'Error setting your password. Please try again.');
  restore();
  await press(used, 'Set Password and Sign In');
  await see(used, 'This invitation has already been used or has expired');
  const broken = await open('/admin/invitation');
  await see(broken, 'This link is incomplete');
});

it('is accessible on a phone and on a desktop', async () => {
  const { id } = await inviteAdmin('operator');
  await product.api('PUT', `/admin/admins/${id}`, { is_active: false }, owner());
  const page = await openAdmin(tab, {
    // The own row and one of each state: a check of every row of a long list finds nothing new.
    prepare: (one) =>
      mockCalls(one, '/admin/admins', async (call) => {
        const isOwn = ({ username }: AdminAccount) => username === inject('admin').username;
        const all = (await call.real()) as AdminAccount[];
        const kinds = all.map((one) => [isOwn(one) ? 'own' : one.state, one] as const);
        return { json: [...new Map(kinds).values()] };
      }),
  });
  await page.getByRole('table').getByText('Deactivated').waitFor();
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport);
    await expectNoBarriers(page);
  }
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${product.urls.gateway}/admin/invitation#${'a'.repeat(43)}`);
  await see(page, 'Choose your password');
  await expectNoBarriers(page);
});
