import { dayMs } from '@daylift/clock/durations';
import { eventually } from '@daylift/testing/eventually';
import { formatPhone } from '@daylift/ui/formats';
import { describe, expect, test } from 'vitest';
import {
  aPhone,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  mockCalls,
  narrow,
  type Page,
  press,
  returnAfterMinute,
  type Subscriber,
  see,
  useDashboard,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;
const { reader } = useDashboard(pages);

interface Me {
  phone: string;
  timezone: string;
  delivery_time: string;
  delivery_enabled: boolean;
  delivery_frequency: string;
  delivery_weekday: number | null;
  paused_until: string | null;
  pending_phone: string | null;
  consent: string;
  phone_proven: boolean;
}
const me = async (person: Subscriber) =>
  (await product.api<Me>('GET', '/users/me', undefined, person.token)).body;
const codeTextedTo = (number: string) =>
  eventually(
    async () =>
      (await product.texts(number)).flatMap(
        ({ text }) => /\b(\d{6}) is your code to confirm/.exec(text)?.[1] ?? [],
      )[0],
    { within: 30_000, what: 'the code' },
  );
const change = (person: Subscriber, body: object) =>
  product.api('PUT', '/users/me', body, person.token);

const open = (person: Subscriber, options = {}) =>
  pages.open('/dashboard?tab=settings', { as: person, ...options });
const edit = async (page: Page) => {
  await press(page, 'Edit');
  await page.getByLabel('Phone').waitFor();
};
const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) })
    .getByRole('definition');
const seeFact = (page: Page, name: string, value: string | RegExp) =>
  fact(page, name).filter({ hasText: value }).waitFor();

const daysAhead = async (days: number): Promise<string> => {
  const now = await product.now();
  return new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10);
};
const inWords = (date: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date));

test('The settings describe every choice, and the form offers every hour and zone, common ones first, down to 320 px', async () => {
  const person = reader();
  const page = await open(person, { viewport: narrow });
  await page.getByRole('heading', { name: 'Profile & Delivery Settings' }).waitFor();
  await seeFact(page, 'SMS delivery', 'Enabled');
  await seeFact(page, 'Phone', formatPhone(person.phone));
  await seeFact(page, 'Email', person.email);
  await seeFact(page, 'Timezone', 'America/New York');
  await seeFact(page, 'Daily message time', '9:00 AM · Morning');
  await seeFact(page, 'Frequency', 'Daily');
  await seeFact(page, 'Pause', 'Not paused');
  // The number isn't confirmed yet.
  await page.getByRole('button', { name: 'Text Me a Code' }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);
  await edit(page);
  expect(await page.getByLabel('Phone').getAttribute('type')).toBe('tel');
  expect(await page.getByLabel('Phone').getAttribute('required')).not.toBeNull();
  const zones = page.getByLabel('Timezone').getByRole('option');
  expect(await zones.nth(1).textContent()).toBe('New York');
  expect(await zones.nth(12).textContent()).toBe('Mexico City');
  expect(await zones.count()).toBeGreaterThan(300);
  const hours = await page.getByLabel('Daily message time').getByRole('option').allTextContents();
  expect(hours).toHaveLength(25);
  expect(hours).toEqual(expect.arrayContaining(['12:00 AM', '9:00 AM', '12:00 PM', '11:00 PM']));
  expect(await page.getByLabel('Frequency').getByRole('option').allTextContents()).toEqual([
    'Daily',
    'Weekly',
  ]);
  await expectNoSidewaysScroll(page);
  await press(page, 'Cancel');
  await seeFact(page, 'Frequency', 'Daily');
  const missing = { delivery_time: '', delivery_frequency: '', name: 'Without Settings' };
  const response = { ...(await me(person)), ...missing };
  await mockCalls(page, '/users/me', () => ({ json: response }));
  await returnAfterMinute(page);
  await seeFact(page, 'Name', 'Without Settings');
  await seeFact(page, 'Daily message time', '9:00 AM');
  await seeFact(page, 'Frequency', 'Daily');
});

test('The delivery switch turns off and on by one click each, and keeps its state when the call fails', async () => {
  const person = await pages.subscriber();
  const page = await open(person, { expectComplaints: failedCall });
  const restore = await failCalls(page, 'POST', '/users/me/toggle-delivery');
  await press(page, 'Disable SMS delivery');
  await see(page, 'Failed to update delivery settings. Please try again.');
  await page
    .locator(':focus')
    .and(page.getByRole('button', { name: 'Disable SMS delivery' }))
    .waitFor();
  await seeFact(page, 'SMS delivery', 'Enabled');
  restore();
  await press(page, 'Disable SMS delivery');
  await see(page, 'SMS delivery disabled successfully!');
  await seeFact(page, 'SMS delivery', 'Disabled');
  expect(await me(person)).toMatchObject({ delivery_enabled: false });
  await press(page, 'Enable SMS delivery');
  await see(page, 'SMS delivery enabled successfully!');
  expect(await me(person)).toMatchObject({ delivery_enabled: true });
});

describe('The settings form', () => {
  test('shows the next text before saving, "Updating..." during a slow call, and saves once', async () => {
    const person = await pages.subscriber();
    const page = await open(person, { expectComplaints: failedCall });
    await edit(page);
    await page.getByLabel('Name').fill('Grace Morning');
    await page.getByLabel('Timezone').selectOption('Europe/Berlin');
    await page.getByLabel('Daily message time').selectOption('18:00');
    await see(page, /ext (?:will come|comes|is still) .*at 6:00 PM\./);
    await page.getByLabel('Frequency').selectOption('weekly');
    await page.getByLabel('Day of the week').selectOption('Friday');
    await see(page, /ext (?:will come|comes|is still) .*at 6:00 PM\./);
    const restore = await failCalls(page, 'PUT', '/users/me');
    const held = await holdCalls(page, 'PUT', '/users/me');
    await press(page, 'Save Changes');
    await see(page, 'Updating...');
    await page.keyboard.press('Enter');
    expect(held.count).toBe(1);
    held.release();
    await see(page, 'Failed to update profile. Please try again.');
    expect(await page.getByLabel('Daily message time').inputValue()).toBe('18:00');
    restore();
    await press(page, 'Save Changes');
    await see(page, 'Profile updated successfully!');
    expect(held.count).toBe(2);
    await seeFact(page, 'Frequency', 'Weekly, on Friday');
    await seeFact(page, 'Timezone', 'Europe/Berlin');
    await seeFact(page, 'Name', 'Grace Morning');
    expect(await me(person)).toMatchObject({
      name: 'Grace Morning',
      timezone: 'Europe/Berlin',
      delivery_time: '18:00',
      delivery_frequency: 'weekly',
      delivery_weekday: 5,
    });
  });

  test('can be saved while the preview is slow or fails, and keeps changes made elsewhere meanwhile', async () => {
    const person = await pages.subscriber();
    const page = await open(person, { expectComplaints: failedCall });
    await failCalls(page, 'POST', '/users/me/next-text/preview');
    const held = await holdCalls(page, 'POST', '/users/me/next-text/preview');
    await edit(page);
    await page.getByLabel('Daily message time').selectOption('06:00');
    await see(page, 'Checking your next text...');
    await press(page, 'Save Changes');
    await see(page, 'Profile updated successfully!');
    held.release();
    await edit(page);
    await change(person, { timezone: 'Europe/Paris' });
    await page.getByLabel('Daily message time').selectOption('20:00');
    await see(page, /preview your next text right now, but you can still save\./);
    await press(page, 'Save Changes');
    await seeFact(page, 'Daily message time', '8:00 PM · Evening');
    await seeFact(page, 'Timezone', 'Europe/Paris');
    expect(await me(person)).toMatchObject({ timezone: 'Europe/Paris', delivery_time: '20:00' });
  });

  test("rejects incomplete input, and keeps the fields with the server's reason", async () => {
    const [person, other] = [await pages.subscriber(), await pages.subscriber({}, false)];
    const page = await open(person, { expectComplaints: failedCall });
    await edit(page);
    const phone = page.getByLabel('Phone');
    await phone.fill(' ');
    await press(page, 'Save Changes');
    await see(page, 'Please fill in all required fields');
    await expect.poll(() => phone.evaluate((field) => field === document.activeElement)).toBe(true);
    await phone.fill('12');
    await page.getByLabel('Timezone').selectOption('');
    await page.getByLabel('Daily message time').selectOption('');
    await press(page, 'Save Changes');
    await expect
      .poll(() => page.getByText('Please select your timezone and delivery time').count())
      .toBe(2);
    await page.getByLabel('Timezone').selectOption('Asia/Tokyo');
    await page.getByLabel('Daily message time').selectOption('07:00');
    await phone.fill('4155550');
    await press(page, 'Save Changes');
    await see(page, /This number is too short or doesn't exist\./);
    await phone.fill('800 555 0123');
    await press(page, 'Save Changes');
    await see(page, 'Enter your current password');
    await page.getByLabel('Current password').fill(person.password);
    await press(page, 'Save Changes');
    await see(page, 'Failed to update profile. Please try again.');
    await see(page, /toll-free/);
    await expect.poll(() => phone.inputValue()).toBe('800 555 0123');
    await page.getByLabel('Current password').fill('');
    await product.confirmEmail(other.email);
    await phone.fill(person.phone);
    await page.getByLabel('Email').fill(other.email);
    await press(page, 'Save Changes');
    await see(page, 'Enter your current password');
    await page.getByLabel('Current password').fill(person.password);
    await press(page, 'Save Changes');
    await see(page, 'Another account already uses this email address.');
    await expectNoBarriers(page);
    expect(await me(person)).toMatchObject({ phone: person.phone, timezone: 'America/New_York' });
  });
});

describe('A pause', () => {
  test('requires a future date, shows its end, and ends by a click', async () => {
    const person = await pages.subscriber();
    const page = await open(person, { expectComplaints: failedCall });
    await press(page, 'Pause');
    const until = page.getByLabel('Pause until');
    await press(page, 'Pause Texts');
    await see(page, 'Please choose a date from tomorrow up to a year ahead.');
    await until.fill(await daysAhead(-1));
    await press(page, 'Pause Texts');
    await see(page, 'Please choose a date from tomorrow up to a year ahead.');
    await until.fill(await daysAhead(400));
    await press(page, 'Pause Texts');
    await see(page, 'Please choose a date from tomorrow up to a year ahead.');
    await press(page, '2 Weeks');
    await expect.poll(() => until.inputValue()).toBe(await daysAhead(14));
    const end = await daysAhead(10);
    await until.fill(end);
    await see(page, /ext will come \w+, \w+ \d+ at 9:00 AM\./);
    await expectNoBarriers(page);
    const restore = await failCalls(page, 'PUT', '/users/me');
    await press(page, 'Pause Texts');
    await see(page, 'Failed to update profile. Please try again.');
    restore();
    await press(page, 'Pause Texts');
    await see(page, `Your texts are paused until ${inWords(end)}.`);
    await seeFact(page, 'Pause', `Until ${inWords(end)}`);
    await seeFact(page, 'SMS delivery', 'Paused');
    expect(await me(person)).toMatchObject({ paused_until: end });
    await press(page, 'Resume');
    await see(page, 'Your texts are back on.');
    await seeFact(page, 'Pause', 'Not paused');
    expect(await me(person)).toMatchObject({ paused_until: null });
  });
});

describe('A changed number', () => {
  test('is asked for YES, can be asked again, and shows as unconfirmed until then', async () => {
    const person = await pages.subscriber();
    const number = aPhone();
    const page = await open(person, { expectComplaints: failedCall });
    await edit(page);
    await page.getByLabel('Phone').fill(`(${number.slice(2, 5)}) ${number.slice(5)}`);
    await see(page, /We'll text the new number to ask for a YES/);
    await page.getByLabel('Current password').fill(person.password);
    await press(page, 'Save Changes');
    await see(page, 'Waiting for YES');
    await see(page, `Reply YES to our text at ${formatPhone(number)}.`);
    await see(page, `Until you reply, your texts keep going to ${formatPhone(person.phone)}.`);
    await expectNoBarriers(page);
    const restore = await failCalls(page, 'POST', '/users/me/consent-request');
    await press(page, 'Text Me Again');
    await see(page, "We couldn't send the text. Please try again.");
    restore();
    await press(page, 'Text Me Again');
    await see(page, 'Please reply YES to our text to get your texts.');
    // A number is asked at most once a minute.
    await product.advanceTo(new Date((await product.now()).getTime() + 61_000));
    const texts = (await product.texts(number)).map(({ text }) => text);
    expect(texts).toEqual([expect.stringContaining('YES'), expect.stringContaining('YES')]);
    await product.reply(number, 'yes');
    await product.settle();
    await page.getByText('Waiting for YES').waitFor({ state: 'detached' });
    expect(await me(person)).toMatchObject({ phone: number, consent: 'granted' });
  });
});

describe('A pending number', () => {
  test('is withdrawn by entering the number on file, without the password', async () => {
    const person = await pages.subscriber();
    await product.settle();
    await change(person, { phone: aPhone(), current_password: person.password });
    const page = await open(person);
    await edit(page);
    await page.getByLabel('Phone').fill(person.phone);
    expect(await page.getByText("We'll text the new number").count()).toBe(0);
    expect(await page.getByLabel('Current password').count()).toBe(0);
    await press(page, 'Save Changes');
    await see(page, 'Profile updated successfully!');
    expect(await me(person)).toMatchObject({ phone: person.phone, pending_phone: null });
  });
});

describe('A number that another account uses too', () => {
  test("is confirmed by a code, because a YES can't, without a word of the other account", async () => {
    const { phone: number } = await pages.subscriber();
    const person = await pages.subscriber({ phone: number });
    const page = await pages.open('/dashboard', { as: person, expectComplaints: failedCall });
    await see(page, /If none comes, confirm your number with a code in Settings\./);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await see(page, 'If no text comes, confirm this number with a 6-digit code.');
    await press(page, 'Text Me a Code');
    await see(page, 'A code is on its way. It can take a minute, and works for 10 minutes.');
    const field = page.getByLabel('6-digit code');
    await page.locator(':focus').and(field).waitFor();
    // Too soon for another one, but the first one still works.
    await press(page, 'Text Me Another Code');
    await see(page, 'Please wait a minute before you request another code.');
    await expectNoBarriers(page);
    const code = await codeTextedTo(number);
    await field.fill(code === '000000' ? '000001' : '000000');
    await press(page, 'Confirm Number');
    await see(page, 'This code is incorrect or has expired. Please request a new one.');
    await page.locator(':focus').and(field).waitFor();
    await field.fill(code);
    await press(page, 'Confirm Number');
    await see(page, 'Your number is confirmed.');
    await page.getByText('Waiting for YES').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Text Me/ }).waitFor({ state: 'detached' });
    expect(await me(person)).toMatchObject({ phone_proven: true, consent: 'granted' });
  });
});

describe('A new number at which another account gets texts', () => {
  test('is confirmed by a code, then asked for YES', async () => {
    const { phone: number } = await pages.subscriber();
    const person = await pages.subscriber();
    await product.settle();
    await change(person, { phone: number, current_password: person.password });
    const page = await open(person);
    await see(page, 'If no text comes, confirm this number with a 6-digit code.');
    await press(page, 'Text Me a Code');
    await page.getByLabel('6-digit code').fill(await codeTextedTo(number));
    await press(page, 'Confirm Number');
    await see(page, "We won't send anything else until you reply.");
    expect(await me(person)).toMatchObject({
      ...{ phone: number, pending_phone: null, phone_proven: true, consent: 'pending' },
    });
  });
});

describe('With the keyboard alone', () => {
  /** Presses Tab until the focus is on the element with this name. */
  const tabTo = async (page: Page, name: string): Promise<void> => {
    for (let steps = 0; steps < 40; steps += 1) {
      const focused = page.locator(':focus');
      const names = await focused.evaluateAll((nodes) =>
        nodes.map((node) => {
          const labels = node instanceof HTMLInputElement || node instanceof HTMLSelectElement;
          const label = labels ? (node.labels?.[0]?.textContent ?? '') : '';
          return label || (node.getAttribute('aria-label') ?? node.textContent ?? '');
        }),
      );
      if (names[0]?.startsWith(name)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never reached ${name}.`);
  };

  test('every setting can be changed, and focus is never lost', async () => {
    const person = await pages.subscriber();
    const page = await open(person);
    await seeFact(page, 'Pause', 'Not paused');
    await tabTo(page, 'Edit');
    await page.keyboard.press('Enter');
    for (const [label, key] of [
      ['Timezone', 'Chicago'],
      ['Daily message time', '10'],
      ['Frequency', 'W'],
      ['Day of the week', 'Sun'],
    ] as const) {
      await tabTo(page, label);
      await page.keyboard.type(key);
    }
    await tabTo(page, 'Save Changes');
    await page.keyboard.press('Enter');
    await seeFact(page, 'Frequency', 'Weekly, on Sunday');
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Edit');
    await tabTo(page, 'Disable SMS delivery');
    await page.keyboard.press('Enter');
    await seeFact(page, 'SMS delivery', 'Disabled');
    await tabTo(page, 'Pause');
    await page.keyboard.press('Enter');
    const [year, month, day] = (await daysAhead(20)).split('-');
    await page.keyboard.type(`${month}${day}${year}`);
    await page.keyboard.press('Enter');
    await seeFact(page, 'Pause', 'Until');
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Resume');
    expect(await me(person)).toMatchObject({
      timezone: 'America/Chicago',
      delivery_time: '10:00',
      delivery_weekday: 7,
      delivery_enabled: false,
      paused_until: `${year}-${month}-${day}`,
    });
  });
});
