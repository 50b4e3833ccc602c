import { expect, it } from 'vitest';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  failedCall,
  type Locator,
  narrow,
  type Page,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const open = (options: Parameters<typeof pages.openAdmin>[1] = {}) =>
  pages.openAdmin('/admin/sms-system/provider', options);
const section = (page: Page) => page.getByRole('region', { name: 'Senders', exact: true });
const expectFocus = (page: Page, target: Locator) => page.locator(':focus').and(target).waitFor();
const rowOf = (page: Page, number: string) =>
  section(page).getByRole('row').filter({ hasText: number });

it('operators see the sending numbers, and add, drain, pause and activate them', async () => {
  const page = await open();
  await rowOf(page, '+18885550123').getByText('Active').waitFor();
  await section(page).getByRole('button', { name: 'Add sender' }).click();
  const number = section(page).getByLabel('Number', { exact: true });
  await expectFocus(page, number);
  await number.fill('+18885550199');
  await section(page).getByLabel('Texts per day').fill('5000');
  await section(page).getByRole('button', { name: 'Add', exact: true }).click();
  const added = rowOf(page, '+18885550199');
  await added.getByText('20 per second').waitFor();
  await added.getByText('5,000 per day').waitFor();
  await expectFocus(page, section(page).getByRole('button', { name: 'Add sender' }));
  await page.getByRole('button', { name: 'Pause: +18885550123' }).click();
  const last = page.getByRole('dialog');
  await last.getByText('Nothing is sent from it.').waitFor();
  expect(await last.getByText('No other number is active.').count()).toBe(0);
  await last.getByRole('button', { name: 'Cancel' }).click();
  await last.waitFor({ state: 'detached' });
  for (const [action, state] of [
    ['Pause', 'Paused'],
    ['Activate', 'Active'],
    ['Drain', 'Draining'],
  ] as const) {
    await page.getByRole('button', { name: `${action}: +18885550199` }).click();
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    await added.getByText(state).waitFor();
  }
  await expectNoBarriers(page);
});

it('a rejected number is explained, and a phone shows the senders too', async () => {
  const page = await open({ viewport: narrow, expectComplaints: failedCall });
  await section(page).getByRole('button', { name: 'Add sender' }).click();
  await section(page).getByLabel('Number', { exact: true }).fill('+18885550123');
  await section(page).getByRole('button', { name: 'Add', exact: true }).click();
  await section(page).getByText('This number is already a sender.').waitFor();
  await expectNoSidewaysScroll(page);
});

it('viewers see the senders without buttons', async () => {
  const page = await open({ token: await pages.admin('viewer') });
  await section(page).getByRole('table', { name: 'Senders' }).waitFor();
  expect(await section(page).getByRole('button').count()).toBe(0);
});
