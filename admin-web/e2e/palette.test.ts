import { expect, it } from 'vitest';
import { expectFocusKept } from '../../deploy/system-tests/browser/by-keyboard.ts';
import { outOfReach } from '../../deploy/system-tests/browser/reach-measures.ts';
import {
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  mockCalls,
  type Page,
  phone,
  see,
  useAdminPages,
} from './harness.ts';

const { product, openAdmin, admin, owner, subscriber } = useAdminPages();

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search', exact: true });
const input = (page: Page) => palette(page).getByRole('combobox');
const options = (page: Page) => palette(page).getByRole('option');
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });
const searchButton = (page: Page) => page.getByRole('button', { name: 'Search', exact: true });
const hasFocus = (page: Page) => page.locator('input:focus').and(input(page)).waitFor();
const selected = (page: Page) => palette(page).locator('[role=option][aria-selected=true]');
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

const openPalette = async (page: Page) => {
  await searchButton(page).waitFor();
  await page.keyboard.press('Control+k');
  await hasFocus(page);
};
/** Types, and waits until only results for these words are listed. */
const find = async (page: Page, words: string, name: string | RegExp) => {
  await openPalette(page);
  await page.keyboard.type(words);
  await option(page, name).first().waitFor();
  expect(await input(page).inputValue()).toBe(words);
};

const scheduleMessage = async (title: string, days: number) => {
  const date = Temporal.Instant.fromEpochMilliseconds((await product.now()).getTime())
    .toZonedDateTimeISO('America/New_York')
    .toPlainDate()
    .add({ days });
  const body = { title, content: 'A text for everyone.', scheduled_date: date.toString() };
  const { status } = await product.api('POST', '/admin/scheduled-messages', body, owner());
  expect(status).toBe(201);
};

it('Ctrl-K finds pages, subscribers and messages, and Enter opens them', async () => {
  const person = await subscriber({ name: 'Petra Palette' }, false);
  await scheduleMessage('Marmalade mornings', 200);
  const page = await openAdmin('/admin/account');

  await openPalette(page);
  await option(page, /^Dashboard/).waitFor();
  await option(page, 'Audit log Settings').waitFor();
  expect(await selected(page).textContent()).toBe('Dashboard');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => selected(page).textContent()).toBe('Process queue');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => selected(page).textContent()).toBe('Subscribers');
  expect(await input(page).getAttribute('aria-activedescendant')).toBe(
    await selected(page).getAttribute('id'),
  );
  await input(page).fill('two-step');
  await expect.poll(() => selected(page).textContent()).toBe('Account');
  await input(page).fill('provider');
  await expect.poll(() => options(page).allTextContents()).toEqual(['ProviderSMS System']);
  await input(page).fill('');
  await page.keyboard.type('stat sms');
  await expect.poll(() => options(page).allTextContents()).toEqual(['StatisticsSMS System']);
  await page.keyboard.press('Enter');
  await heading(page, 'SMS System');
  expect(new URL(page.url()).pathname).toBe('/admin/sms-system/statistics');
  await palette(page).waitFor({ state: 'detached' });
  await expectFocusKept(page);

  for (const words of ['petra pal', person.email, person.phone]) {
    await find(page, words, /^Petra Palette/);
    await page.keyboard.press('Enter');
    await heading(page, 'Petra Palette');
    expect(new URL(page.url()).pathname).toBe(`/admin/subscribers/${person.id}`);
    await page.goBack();
    await heading(page, 'SMS System');
  }

  for (const path of [
    '/admin/sms-system/statistics',
    '/admin/messages?search=Marmalade+mornings',
  ]) {
    expect(page.url()).toContain(path);
    await find(page, 'marmalade', /^Marmalade mornings/);
    await page.keyboard.press('Enter');
    const row = page.getByRole('row').filter({ hasText: 'Marmalade mornings' });
    await row.waitFor();
    await expect
      .poll(() =>
        row.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        }),
      )
      .toBe(true);
    expect(await page.getByLabel('Search titles').inputValue()).toBe('Marmalade mornings');
    await palette(page).waitFor({ state: 'detached' });
    await expectFocusKept(page);
  }
});

it('keeps what is typed before it has loaded', async () => {
  const page = await openAdmin('/admin/subscribers');
  const field = page.getByLabel('Search', { exact: true });
  await field.focus();
  const typed = Promise.withResolvers<void>();
  await page.route('**/assets/Palette*.js', async (route) => {
    await typed.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('forex');
  for (const key of ['Backspace', 'c', 'Enter']) await page.keyboard.press(key);
  typed.resolve();
  await hasFocus(page);
  await page.keyboard.type('ast');
  await expect.poll(() => input(page).inputValue()).toBe('forecast');
  await page.keyboard.press('Enter');
  await heading(page, 'Forecast');
  expect(await field.count()).toBe(0);
});

it('offers to freeze or resume only once it knows whether sending is frozen', async () => {
  const page = await openAdmin('/admin/subscribers', {
    expectComplaints: failedCall,
    prepare: async (before) => {
      await mockCalls(before, '/admin/live', () => 'lost');
      await failCalls(before, 'GET', '/admin/freeze');
    },
  });
  await openPalette(page);
  await option(page, 'Run scheduler').waitFor();
  expect(await option(page, /Freeze|Resume/).count()).toBe(0);
});

it('opens the form or dialog of an action, which still asks first', async () => {
  const page = await openAdmin('/admin/subscribers?search=nobody');
  const choose = async (words: string, name: string) => {
    await find(page, words, name);
    await expect.poll(() => selected(page).textContent()).toBe(name);
    await page.keyboard.press('Enter');
    await palette(page).waitFor({ state: 'detached' });
  };
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const cancel = async (name: string) => {
    await dialog(name).getByRole('button', { name: 'Cancel' }).click();
    await dialog(name).waitFor({ state: 'detached' });
  };
  for (const words of ['pause', 'stop', 'emergency']) {
    await find(page, words, 'Freeze sending');
    await page.keyboard.press('Escape');
  }
  await choose('freeze', 'Freeze sending');
  await page.locator('[role=dialog] :focus').waitFor();
  expect(new URL(page.url()).search).toBe('?search=nobody');
  await dialog('Freeze all sending?').getByRole('button', { name: 'Freeze sending' }).click();
  await page.getByRole('region', { name: 'Sending is frozen' }).waitFor();
  await choose('resume', 'Resume sending');
  await dialog('Resume sending?').getByRole('radio', { name: 'Skip them' }).check();
  await dialog('Resume sending?').getByRole('button', { name: 'Resume sending' }).click();
  await page.getByRole('region', { name: 'Sending is frozen' }).waitFor({ state: 'detached' });

  await choose('run sch', 'Run scheduler');
  await cancel('Run the scheduler now?');
  await page.reload();
  await heading(page, 'SMS System');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await choose('add subs', 'Add subscriber');
  await page
    .locator('input:focus')
    .and(dialog('Add Subscriber').getByRole('textbox', { name: 'Name' }))
    .waitFor();
  await page.keyboard.press('Escape');
  await choose('write', 'Schedule message');
  await page
    .locator('input:focus')
    .and(page.getByRole('textbox', { name: 'Title' }))
    .waitFor();
  await choose('import', 'Import messages');
  await dialog('Import messages from CSV').waitFor();
  await page.keyboard.press('Escape');
  await dialog('Import messages from CSV').waitFor({ state: 'detached' });
  await choose('turn on', 'Turn on testing mode');
  await page.locator('input:focus').and(page.getByLabel('Test phone number')).waitFor();
});

it('Escape and Ctrl-K close it and return the focus, also above another dialog', async () => {
  const page = await openAdmin('/admin/subscribers');
  const field = page.getByLabel('Search', { exact: true });
  for (const key of ['Escape', 'Control+k']) {
    await field.focus();
    await openPalette(page);
    await page.keyboard.press(key);
    await page.locator('input:focus').and(field).waitFor();
    await palette(page).waitFor({ state: 'detached' });
  }
  await searchButton(page).press('Enter');
  await hasFocus(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('button:focus').and(searchButton(page)).waitFor();
  await palette(page).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Add Subscriber' }).click();
  const form = page.getByRole('dialog', { name: 'Add Subscriber' });
  const name = form.getByRole('textbox', { name: 'Name' });
  await page.locator('input:focus').and(name).waitFor();
  await page.keyboard.type('Half');
  await page.keyboard.press('Control+k');
  await hasFocus(page);
  await page.keyboard.press('Escape');
  await page.locator('input:focus').and(name).waitFor();
  await palette(page).waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Half');
});

it('never lists what an earlier text matched; reports a failed search, and still opens pages', async () => {
  await subscriber({ name: 'Olga Older' }, false);
  await subscriber({ name: 'Nina Newer' }, false);
  const page = await openAdmin('/admin/account', { expectComplaints: failedCall });
  const held = Promise.withResolvers<void>();
  const searched = Promise.withResolvers<void>();
  await page.route(/admin\/users\?.*search=olga/, async (route) => {
    searched.resolve();
    await held.promise;
    await route.continue().catch(() => null);
  });
  await openPalette(page);
  await page.keyboard.type('olga');
  await searched.promise;
  await palette(page).getByText('Searching…').waitFor();
  await input(page).fill('nina');
  await option(page, /^Nina Newer/).waitFor();
  held.resolve();
  await input(page).fill('nina n');
  expect(await options(page).count()).toBe(0);
  await option(page, /^Nina Newer/).waitFor();
  expect(await option(page, /^Olga/).count()).toBe(0);

  await failCalls(page, 'GET', '/admin/scheduled-messages');
  await input(page).fill('inbox');
  await see(page, "Some results couldn't be loaded. Please try again.");
  await page.keyboard.press('Enter');
  await heading(page, 'Inbox');
});

it('viewers find only what they may open and see', async () => {
  const person = await subscriber({ name: 'Vito Palette' }, false);
  const page = await openAdmin('/admin/account', { token: await admin('viewer') });
  await openPalette(page);
  await option(page, /^FAQs/).waitFor();
  for (const name of [/^Audit log/, /^Admins/, /^Freeze/, /^Add subscriber/])
    expect(await option(page, name).count()).toBe(0);
  await page.keyboard.type('vito');
  await option(page, /^Vito Palette .•••@/).waitFor();
  await input(page).fill(person.email);
  await palette(page).getByText('No results.').waitFor();
});

it('is accessible on phones and desktops, and opens by touch', async () => {
  await subscriber({ name: 'Pia Palette' }, false);
  const page = await openAdmin('/admin/account');
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport);
    await searchButton(page).click();
    await hasFocus(page);
    await expectNoBarriers(page);
    await page.keyboard.type('pia');
    await option(page, /^Pia Palette/).waitFor();
    await expectNoBarriers(page, '[role=dialog]');
    await expectNoSidewaysScroll(page);
    if (viewport === phone) expect(await outOfReach(page)).toEqual([]);
    await palette(page).getByRole('button', { name: 'Close' }).click();
    await palette(page).waitFor({ state: 'detached' });
  }
  await searchButton(page).click();
  await hasFocus(page);
  await page.keyboard.type('pia');
  await option(page, /^Pia Palette/).click();
  await heading(page, 'Pia Palette');
});
