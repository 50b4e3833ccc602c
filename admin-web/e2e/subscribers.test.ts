import { describe, expect, it } from 'vitest';
import { outOfReach } from '../../deploy/system-tests/browser/reach-measures.ts';
import {
  anEmail,
  aPhone,
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  type Locator,
  mockCalls,
  narrow,
  type Page,
  phone,
  press,
  type Subscriber,
  see,
  stopMocking,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const { product, openAdmin } = pages;
const list = '/admin/subscribers';
const failedCall = /Failed to load resource/;

interface Row {
  id: string;
  is_active: boolean;
  consent: string;
}
const find = async (email: string) =>
  (await product.api<Row[]>('GET', `/admin/users?search=${email}`, undefined, pages.owner())).body;
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
/** Opens the form beside the list. */
const openForm = async (page: Page) => {
  await page.getByRole('button', { name: 'Add Subscriber', exact: true }).click();
  await addSubscriber(page).waitFor();
};
const fillForm = async (page: Page, form: { name: string; email: string; phone: string }) => {
  await page.getByRole('textbox', { name: 'Name' }).fill(form.name);
  await page.getByRole('textbox', { name: 'Email' }).fill(form.email);
  await page.getByRole('textbox', { name: 'Phone' }).fill(form.phone);
};
const addSubscriber = (page: Page) =>
  dialog(page).getByRole('button', { name: 'Add Subscriber', exact: true });
const aForm = (name = 'Grace Morning') => ({ name, email: anEmail(), phone: aPhone() });
const rowOf = (page: Page, { email }: { email: string }) =>
  page.getByRole('row').filter({ hasText: email });
const search = (page: Page, words: string) => page.getByLabel('Search').fill(words);
/** Opens a subscriber's menu and returns an item of it. */
const openMenu = async (page: Page, person: Pick<Subscriber, 'email'>, name: string) => {
  await rowOf(page, person).getByRole('button', { name: 'Actions' }).click();
  return page.getByRole('menuitem', { name, exact: true });
};
const choose = async (page: Page, person: Pick<Subscriber, 'email'>, name: string) =>
  (await openMenu(page, person, name)).click();
const dialog = (page: Page) => page.getByRole('dialog');
const rightOf = (locator: Locator) =>
  locator.evaluate((element) => element.getBoundingClientRect().right);
/** Mocks the response to a call until the page closes. */
const respondTo = (page: Page, path: string, status: number, detail: string) =>
  mockCalls(page, path, (call) =>
    call.method === 'GET' ? undefined : { status, json: { detail, code: 'X', request_id: 'r' } },
  );

/** Letters only, because names with many digits are rejected as phone numbers. */
const aFamily = () =>
  `Fam${anEmail().slice(0, 6)}`.replaceAll(/[-\d]/g, (sign) => 'ghijklmnop'[Number(sign)] ?? 'q');

describe('adding a subscriber', () => {
  it('starts with defaults, names what is missing or wrong, records written consent, and shows the password', async () => {
    const page = await openAdmin(list, { expectComplaints: failedCall });
    await openForm(page);
    await expect.poll(() => field(page, 'Timezone').inputValue()).toBe('America/New_York');
    await expect.poll(() => field(page, 'Delivery time').inputValue()).toBe('09:00');
    await expect.poll(() => page.getByPlaceholder('+1234567890').count()).toBe(1);
    await expect.poll(() => dialog(page).getByRole('checkbox').isChecked()).toBe(false);
    const zones = await field(page, 'Timezone').locator('option').allTextContents();
    expect(zones.slice(0, 5)).toEqual(['Eastern', 'Central', 'Mountain', 'Pacific', 'Arizona']);
    expect(zones).toContain('Europe/Berlin');
    const hours = await field(page, 'Delivery time').locator('option').allTextContents();
    expect(hours).toHaveLength(24);
    expect([hours[0], hours[9], hours[12]]).toEqual(['12:00 AM', '9:00 AM', '12:00 PM']);
    await addSubscriber(page).click();
    await expect.poll(() => page.getByText('Please fill in all required fields').count()).toBe(3);
    await page.getByRole('textbox', { name: 'Name' }).fill('  ');
    await addSubscriber(page).click();
    await expect.poll(() => page.getByText('Please fill in all required fields').count()).toBe(3);

    const known = await pages.subscriber();
    await fillForm(page, { ...aForm(), email: known.email });
    await addSubscriber(page).click();
    await see(page, 'A subscriber with this email or phone already exists.');
    await fillForm(page, { ...aForm(), phone: '12' });
    await addSubscriber(page).click();
    await see(page, 'Enter a phone number with its country code');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Phone' }).getAttribute('aria-invalid'))
      .toBe('true');
    const form = aForm();
    await fillForm(page, form);
    await respondTo(page, '/admin/users/create', 500, 'internal words');
    await addSubscriber(page).click();
    await see(page, 'Error creating user. internal words');
    await stopMocking(page);
    await dialog(page).getByRole('checkbox').check();
    await addSubscriber(page).click();
    await see(page, 'Their first text arrives tomorrow at their delivery time.');
    const password = await page.getByLabel('One-time password', { exact: true }).inputValue();
    await product.login(form.email, password);
    expect(await find(form.email)).toMatchObject([{ consent: 'granted' }]);
  });

  it('creates one account even if the response is lost, shows its password once, to copy, and texts a consent request', async () => {
    const form = aForm('Grace Brewster Morning');
    const page = await openAdmin(list, {
      permissions: ['clipboard-read', 'clipboard-write'],
      expectComplaints: failedCall,
    });
    let calls = 0;
    await mockCalls(page, '/admin/users/create', async (call) => {
      calls += 1;
      if (calls > 1) return undefined;
      await call.real();
      return 'lost';
    });
    await openForm(page);
    await fillForm(page, form);
    await field(page, 'Timezone').selectOption('America/Phoenix');
    await field(page, 'Delivery time').selectOption('18:00');
    await field(page, 'Plan').selectOption('yearly');
    await addSubscriber(page).dblclick();
    await see(page, 'Error creating user');
    expect(calls).toBe(1);
    await addSubscriber(page).dblclick();
    await see(page, 'This password is shown only once');
    expect(calls).toBe(2);
    const password = await page.getByLabel('One-time password', { exact: true }).inputValue();
    expect(password).toMatch(/^\w{4}(-\w{4}){4}$/);
    await see(page, /text them to ask for a YES/);
    await press(page, /^Copy/);
    await see(page, 'Copied to the clipboard');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(1);
    await press(page, 'Done');
    await expect.poll(() => page.getByText(password).count()).toBe(0);
    await rowOf(page, form).getByText('Awaiting YES').waitFor();
    await rowOf(page, form).getByText('6:00 PM').waitFor();
    await rowOf(page, form).getByText('Never').waitFor();
    expect(await find(form.email)).toHaveLength(1);
    const first = await product.api('POST', '/users/login', { login: form.email, password });
    expect(first.body).toMatchObject({ must_change_password: true });
  });
});

describe('the list', () => {
  it('searches, filters and sorts, and keeps that in the URL', async () => {
    const family = aFamily();
    const ada = await pages.subscriber({ name: `Ada ${family}`, delivery_time: '21:00' });
    const bea = await pages.subscriber({ name: `Bea ${family}`, delivery_time: '06:00' }, false);
    const page = await openAdmin(list);
    const names = async () =>
      (await page.getByRole('link', { name: family }).allTextContents()).map((name) =>
        name.slice(0, 3),
      );
    await search(page, family.toLowerCase());
    await expect.poll(names).toEqual(['Bea', 'Ada']);
    await see(page, '1 to 2 of 2');
    await press(page, 'Name');
    await expect.poll(names).toEqual(['Ada', 'Bea']);
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Name' }).waitFor();
    await press(page, 'Name');
    await expect.poll(names).toEqual(['Bea', 'Ada']);
    expect(await field(page, 'Sort by').inputValue()).toBe('name-down');
    await press(page, 'Name');
    await expect.poll(names).toEqual(['Ada', 'Bea']);
    await field(page, 'Sort by').selectOption('hour');
    await expect.poll(names).toEqual(['Bea', 'Ada']);
    for (const column of ['Email', 'Phone'] as const) {
      const contact = column === 'Email' ? 'email' : 'phone';
      const rising = ada[contact] < bea[contact] ? ['Ada', 'Bea'] : ['Bea', 'Ada'];
      await press(page, column);
      await page.locator('th[aria-sort="ascending"]', { hasText: column }).waitFor();
      await expect.poll(names).toEqual(rising);
      await press(page, column);
      await expect.poll(names).toEqual(rising.toReversed());
    }
    await field(page, 'Sort by').selectOption('status-down');
    await expect.poll(names).toEqual(['Bea', 'Ada']);
    await press(page, 'Status');
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Status' }).waitFor();
    await expect.poll(names).toEqual(['Ada', 'Bea']);
    await field(page, 'Sort by').selectOption('hour');
    await expect.poll(names).toEqual(['Bea', 'Ada']);
    // Bea hasn't paid, so she has no date.
    await press(page, 'Renews');
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Renews' }).waitFor();
    await expect.poll(names).toEqual(['Ada', 'Bea']);
    await field(page, 'Sort by').selectOption('hour');
    await expect.poll(names).toEqual(['Bea', 'Ada']);
    await field(page, 'Subscription').selectOption('trial');
    await expect.poll(names).toEqual(['Ada']);
    await page.reload();
    await expect.poll(names).toEqual(['Ada']);
    await field(page, 'Subscription').selectOption('pending');
    await expect.poll(names).toEqual(['Bea']);
    await field(page, 'Status').selectOption('paused');
    await see(page, 'No matches');
    await field(page, 'Status').selectOption('');
    await field(page, 'Subscription').selectOption('');
    await search(page, ada.phone);
    await expect.poll(names).toEqual(['Ada']);
    await search(page, bea.email.slice(0, 8));
    await expect.poll(names).toEqual(['Bea']);
    await page.getByRole('link', { name: `Bea ${family}` }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/subscribers/${bea.id}`);
    await page.getByRole('link', { name: 'All subscribers' }).click();
    await expect.poll(names).toEqual(['Bea']);
    expect(await page.getByLabel('Search').inputValue()).toBe(bea.email.slice(0, 8));
  });

  it('on a phone, one button discloses the filters and counts the active ones', async () => {
    const family = aFamily();
    await pages.subscriber({ name: `Ada ${family}` });
    const page = await openAdmin(`${list}?search=${family}&sort=name`, { viewport: phone });
    const row = page.getByRole('row').filter({ hasText: family });
    await row.waitFor();
    const button = page.getByRole('button', { name: /^Filters/ });
    const status = field(page, 'Status');
    expect(await button.textContent()).toBe('Filters');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    expect(await status.isVisible()).toBe(false);
    await page.getByLabel('Search').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await status.waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await expectNoBarriers(page);
    await page.keyboard.press('Tab');
    expect(await status.evaluate((element) => element === document.activeElement)).toBe(true);
    await status.selectOption('active');
    await expect.poll(() => button.textContent()).toBe('Filters (1)');
    await field(page, 'Subscription').selectOption('pending');
    await see(page, 'No matches');
    await expect.poll(() => button.textContent()).toBe('Filters (2)');
    expect(await outOfReach(page)).toEqual([]);
    await button.press('Enter');
    await status.waitFor({ state: 'hidden' });
    await page.setViewportSize(desktop);
    await status.waitFor();
    expect(await button.isVisible()).toBe(false);
  });

  it('shows how texts are really sent, errors of the list, and where counting ends', async () => {
    let isLost = true;
    const page = await openAdmin(list, {
      expectComplaints: failedCall,
      prepare: (one) =>
        mockCalls(one, '/admin/users', async (call) =>
          isLost ? 'lost' : { json: await call.real(), headers: { 'x-total-count': '3001' } },
        ),
    });
    await see(page, 'Texts go to the built-in sandbox, not to real phones.');
    await see(page, "We couldn't load this. Please try again.");
    isLost = false;
    await press(page, 'Try');
    await see(page, '1 to 25 of more than 3,000');
    await page.getByRole('button', { name: 'next page' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2');
    await field(page, 'Sort by').selectOption('name');
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBeNull();
  });

  it('is accessible and fits every screen, dialogs too, with whole rows beside the navigation at 1280 px', async () => {
    const form = { ...aForm('Alexandra Wide-Morningstar'), email: `alexandra.wide.${anEmail()}` };
    await pages.subscriber(form);
    const page = await openAdmin(`${list}?search=wide-morningstar`, {
      viewport: { width: 1280, height: 800 },
    });
    await rowOf(page, form).waitFor();
    const card = page.getByRole('region', { name: 'Find subscribers' });
    const table = page.getByRole('table', { name: 'Subscribers' });
    expect(await rightOf(table)).toBeLessThan(await rightOf(card));
    for (const viewport of [desktop, phone, narrow]) {
      await page.setViewportSize(viewport);
      await expectNoSidewaysScroll(page);
      if (viewport !== narrow) await expectNoBarriers(page);
    }
    await page.getByRole('button', { name: 'Actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog(page).getByLabel('Phone').waitFor();
    await expectNoBarriers(page, '[role=dialog]');
    await press(page, 'Cancel');
    await dialog(page).waitFor({ state: 'detached' });
    await openForm(page);
    // Not only the form: it must not repeat landmarks of the page behind it.
    await expectNoBarriers(page);
  });
});

it('pausing ends the session and deleting is permanent, each after a confirmation that shows why it failed', async () => {
  const person = await pages.subscriber({ name: 'Paula Morning' });
  const page = await openAdmin(`${list}?search=${person.email}`, { expectComplaints: failedCall });
  const expectReasons = async (confirm: string, path: string, fallback: string) => {
    await respondTo(page, path, 500, 'internal words');
    const sure = dialog(page).getByRole('button', { name: confirm, exact: true });
    await sure.click();
    await dialog(page).getByText(fallback).waitFor();
    await respondTo(page, path, 404, 'Subscriber not found.');
    await sure.click();
    await dialog(page).getByText('Subscriber not found.').waitFor();
    await stopMocking(page);
    await press(page, 'Cancel');
    await dialog(page).waitFor({ state: 'detached' });
  };
  await choose(page, person, 'Pause');
  await see(page, 'Pause this subscriber?');
  await expectReasons('Pause', '/admin/users/*/toggle-status', 'Error updating user status');
  expect(await find(person.email)).toMatchObject([{ is_active: true }]);
  await choose(page, person, 'Pause');
  await dialog(page).getByRole('button', { name: 'Pause', exact: true }).dblclick();
  await see(page, 'Paula Morning is paused.');
  await rowOf(page, person).getByText('Paused').waitFor();
  const me = async () => (await product.api('GET', '/users/me', undefined, person.token)).status;
  await expect.poll(me, { timeout: 2_000 }).toBe(401);
  await choose(page, person, 'Activate');
  await see(page, 'Activate this subscriber?');
  await dialog(page).getByRole('button', { name: 'Activate', exact: true }).click();
  await see(page, /Paula Morning is active/);
  expect(await me()).toBe(401);
  await product.login(person.email, person.password);

  await choose(page, person, 'Delete');
  await see(page, 'Delete this subscriber permanently?');
  await see(page, /This can't be undone/);
  for (const known of [person.email, person.phone]) await dialog(page).getByText(known).waitFor();
  await expectReasons('Delete Permanently', '/admin/users/*', 'Error deleting user');
  await choose(page, person, 'Delete');
  await press(page, 'Delete Permanently');
  await see(page, 'Paula Morning was deleted.');
  await see(page, 'No matches');
  expect(await find(person.email)).toEqual([]);
  const login = { login: person.email, password: person.password };
  expect((await product.api('POST', '/users/login', login)).status).toBe(401);
});

describe('editing', () => {
  it("changes settings by the subscriber's own rules, and shows a rejected field", async () => {
    const person = await pages.subscriber({ name: 'Edda Morning' });
    const page = await openAdmin(`${list}?search=${person.email}`, {
      expectComplaints: failedCall,
    });
    await choose(page, person, 'Edit');
    const form = dialog(page);
    await form.getByLabel('Name').fill('Edda Evening');
    await form.getByLabel('Delivery time').selectOption('20:00');
    await form.getByLabel('Frequency').selectOption('weekly');
    await form.getByLabel('Weekday').selectOption('3');
    await form.getByLabel('Phone').fill('12345');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await form.getByText(/This number is too short or doesn't exist\./).waitFor();
    await expect.poll(() => form.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true');
    const number = aPhone();
    await form.getByLabel('Phone').fill(number);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await see(page, 'Edda Evening was updated.');
    await rowOf(page, person).getByText('8:00 PM, weekly').waitFor();
    const me = await product.api('GET', '/users/me', undefined, person.token);
    expect(me.body).toMatchObject({ name: 'Edda Evening', delivery_weekday: 3 });
    await rowOf(page, person).getByRole('link', { name: 'Edda Evening' }).click();
    await see(page, /once they reply YES from it/);
    await product.settle();
    expect((await product.texts(number)).at(-1)?.text).toMatch(/YES/);
  });

  it('opts a subscriber out with a note as proof', async () => {
    const person = await pages.subscriber({ name: 'Oda Morning' });
    const page = await openAdmin(`/admin/subscribers/${person.id}`);
    await press(page, 'Opt out');
    const sure = dialog(page).getByRole('button', { name: 'Opt Out' });
    expect(await sure.isDisabled()).toBe(true);
    await dialog(page).getByLabel('How did they opt out?').fill('Called us today.');
    await sure.click();
    await see(page, 'Oda Morning is opted out.');
    await product.settle();
    await page.reload();
    const consent = page.getByRole('region', { name: 'Consent record' });
    await consent.getByText(/Opted out \(by an admin\)/).waitFor();
    await consent.getByText(/Called us today\./).waitFor();
    await see(page, 'Opted out of all texts');
  });
});

describe('Roles', () => {
  it("a viewer searches names, with numbers and emails hidden, and can't change anything", async () => {
    const family = aFamily();
    const person = await pages.subscriber({ name: `Vera ${family}` }, false);
    const token = await pages.admin('viewer');
    const page = await openAdmin(`${list}?search=${family}`, { token });
    const row = page.getByRole('row').filter({ hasText: person.name });
    await row.getByText(new RegExp(`•${person.phone.slice(-2)}$`)).waitFor();
    for (const hidden of [person.phone, person.email])
      await expect.poll(() => page.getByText(hidden).count()).toBe(0);
    for (const name of ['Add Subscriber', 'Actions', 'Email', 'Phone'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    const sorts = await field(page, 'Sort by').locator('option').allTextContents();
    expect(sorts.filter((sort) => /email|phone/i.test(sort))).toEqual([]);
    for (const hidden of [person.phone, person.email]) {
      await search(page, hidden);
      await see(page, 'No matches');
      await search(page, family);
      await row.waitFor();
    }
  });

  it("an operator adds, pauses selected subscribers after a confirmation with their number, and can't delete", async () => {
    const family = aFamily();
    const [one, two] = [
      await pages.subscriber({ name: `Ida ${family}` }, false),
      await pages.subscriber({ name: `Uwe ${family}` }, false),
    ];
    const token = await pages.admin('operator');
    const page = await openAdmin(`${list}?search=${family}`, { token });
    await rowOf(page, one).getByText(one.phone).waitFor();
    await page.getByRole('button', { name: 'Add Subscriber' }).waitFor();
    await (await openMenu(page, one, 'Pause')).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: `Select: ${one.name}` }).check();
    await see(page, '1 subscriber selected');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await press(page, 'Pause selected');
    await dialog(page).getByRole('button', { name: 'Pause 2 subscribers' }).dblclick();
    await see(page, '2 subscribers are now paused.');
    for (const person of [one, two]) {
      await rowOf(page, person).getByText('Paused').waitFor();
      expect(await find(person.email)).toMatchObject([{ is_active: false }]);
    }
    await rowOf(page, one).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });
});
