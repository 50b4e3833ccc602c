import { beforeAll, expect, inject, test } from 'vitest';
import {
  anEmail,
  aPhone,
  expectNoBarriers,
  expectNoSidewaysScroll,
  type Page,
  phone,
  press,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;
let owner: string;
beforeAll(async () => {
  owner = await product.adminLogin(inject('admin'));
});

/** Creates a subscriber signed up by staff. */
async function newcomer() {
  const form = { name: 'Nora Morning', email: anEmail(), phone: aPhone(), sms_consent: true };
  const { body } = await product.api<{ id: string; default_password: string }>(
    'POST',
    '/admin/users/create',
    form,
    owner,
  );
  return { ...form, id: body.id, password: body.default_password };
}
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const signIn = async (page: Page, login: string, password: string) => {
  await page.getByLabel('Email or phone').fill(login);
  await page.locator('input[name="password"]').fill(password);
  await press(page, 'Sign In');
};
const choose = async (page: Page, next: string, confirm = next) => {
  await field(page, 'New password').fill(next);
  await field(page, 'Confirm new password').fill(confirm);
  await press(page, 'Save and Continue');
};

test('a subscriber whom staff signed up chooses a new password first, and continues the trial without a card with a paid plan', async () => {
  const person = await newcomer();
  const page = await pages.open('/login', { viewport: phone, expectComplaints: /Failed to load/ });
  await signIn(page, person.phone, person.password);
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  await expectNoBarriers(page);
  await expectNoSidewaysScroll(page);
  // Not signed in yet: no token is stored that would open the dashboard.
  expect(await page.evaluate(() => localStorage.getItem('user_token'))).toBeNull();
  await choose(page, '', '');
  await see(page, 'Please fill in all required fields');
  await choose(page, 'a new morning', 'another');
  await see(page, 'Passwords do not match');
  await choose(page, 'short');
  await see(page, 'Password must be at least 6 characters long');
  await choose(page, person.password);
  await see(page, 'Please choose a different password from the one you were given.');
  await choose(page, 'a new morning');
  await page.waitForURL('**/dashboard');
  const login = { login: person.email, password: person.password };
  expect((await product.api('POST', '/users/login', login)).status).toBe(401);

  // The trial has no card.
  await see(page, 'Free Trial');
  await page.getByRole('link', { name: 'Upgrade to Full Plan' }).click();
  await page.getByRole('heading', { name: 'Upgrade to the full plan' }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole('button', { name: 'Continue and Pay $4.99' }).click();
  await page.waitForURL(/\/c\/pay\//);
  const session = /cs_test_\w+/.exec(page.url())?.[0] ?? '';
  await product.pay(session);
  await product.api('GET', `/payments/status/${session}`);
  const token = await product.login(person.email, 'a new morning');
  const plan = await product.api('GET', '/users/me/plan', undefined, token);
  expect(plan.body).toMatchObject({ status: 'active', trial_end_date: null });
});
