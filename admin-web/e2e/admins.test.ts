import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anAdmin, logIn, type Role, type TestAdmin } from '../../deploy/system-tests/admins.ts';
import {
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  narrow,
  type Page,
  pageLink,
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

  it('sees which invitation fields are invalid, and that a username is taken', async () => {
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
  });

  it("changes a role and ends that admin's sessions", async () => {
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
  });

  it('deactivates an admin, signs out their open page, and reactivates them', async () => {
    const vera = await inviteAdmin('operator');
    const veraPage = await openAdmin('/admin/account', {
      token: vera.token,
      expectComplaints: refused,
    });
    await pageLink(veraPage, 'Subscribers').waitFor();
    const page = await openAdmin(tab);
    await choose(page, 'Deactivate', vera);
    await confirm(page, 'Deactivate');
    await rowOf(page, vera).getByText('Deactivated').waitFor();
    await expect.poll(() => isSignedIn(vera.token)).toBe(false);
    // Unless one of its polls has led there already.
    await pageLink(veraPage, 'Subscribers')
      .click({ timeout: 3_000 })
      .catch(() => null);
    await see(veraPage, 'Admin login');
    await veraPage.getByLabel('Username').fill(vera.username);
    await veraPage.getByLabel('Password', { exact: true }).fill(vera.password);
    await press(veraPage, 'Sign In');
    await see(veraPage, 'Invalid credentials');
    await choose(page, 'Activate', vera);
    await confirm(page, 'Activate');
    await rowOf(page, vera).getByText('Active', { exact: true }).waitFor();
    await logIn(product, vera);
  });

  it('resets a password: the old one stops working, and the new link is shown once', async () => {
    const vera = await inviteAdmin('viewer');
    const page = await openAdmin(tab);
    await choose(page, 'Reset password', vera);
    await see(page, `${vera.username}'s current password`);
    await confirm(page, 'Create invitation');
    await see(page, `Invitation for ${vera.username}`);
    await rowOf(page, vera).getByText('Invited').waitFor();
    await expect(logIn(product, vera)).rejects.toThrow('401');
    expect(await isSignedIn(vera.token)).toBe(false);
  });

  it('sees that a change failed, cancels it, and nothing has changed', async () => {
    const vera = await inviteAdmin('viewer');
    const page = await openAdmin(tab, { expectComplaints: failedCall });
    await choose(page, 'Deactivate', vera);
    await failCalls(page, 'PUT', `/admin/admins/${vera.id}`);
    await confirm(page, 'Deactivate');
    await dialog(page).getByText('Error changing admin').waitFor();
    await confirm(page, 'Cancel');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await isSignedIn(vera.token)).toBe(true);
  });

  it('has no button for their own account', async () => {
    const page = await openAdmin(tab);
    await see(page, 'This is you. Another owner can change your access.');
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

it('is accessible and fits every screen', async () => {
  const { id } = await inviteAdmin('operator');
  await product.api('PUT', `/admin/admins/${id}`, { is_active: false }, owner());
  for (const viewport of [desktop, phone, narrow]) {
    const page = await openAdmin(tab, { viewport });
    await page.getByRole('table').waitFor();
    await expectNoSidewaysScroll(page);
    if (viewport !== narrow) await expectNoBarriers(page);
  }
  const invitation = await open(`/admin/invitation#${'a'.repeat(43)}`, { viewport: phone });
  await see(invitation, 'Choose your password');
  await expectNoBarriers(invitation);
});
