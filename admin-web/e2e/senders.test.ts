import { expect, it } from 'vitest';
import {
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failedCall,
  type Locator,
  mockCalls,
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

it('operators see the sending numbers, and add, drain, pause and activate them; a rejected number is explained', async () => {
  const page = await open({ expectComplaints: failedCall });
  await rowOf(page, '+18885550123').getByText('Active').waitFor();
  await section(page).getByRole('button', { name: 'Add sender' }).click();
  const number = section(page).getByLabel('Number', { exact: true });
  await expectFocus(page, number);
  await number.fill('+18885550123');
  await section(page).getByRole('button', { name: 'Add', exact: true }).click();
  await section(page).getByText('This number is already a sender.').waitFor();
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(desktop);
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

it('viewers see the senders without buttons, and advice while the provider rejects everything', async () => {
  const page = await open({
    token: await pages.admin('viewer'),
    prepare: (before) =>
      mockCalls(before, '/admin/sms-system/provider', async (call) => {
        const pause = {
          since: '2027-04-05T15:00:00.000Z',
          code: 'provider_20100',
          reason: 'Our provider account had no balance left. (Error 20100.)',
          advice: 'Top up the balance in the provider’s portal.',
          next_probe_at: '2027-04-05T15:30:00.000Z',
          failed_probes: 3,
        };
        return { json: { ...(await call.real()), pause } };
      }),
  });
  await section(page).getByRole('table', { name: 'Senders' }).waitFor();
  expect(await section(page).getByRole('button').count()).toBe(0);
  const provider = page.getByRole('region', { name: 'Provider', exact: true });
  await provider.getByText(/Sending is paused\. .*no balance left/).waitFor();
  await provider.getByText(/Next retry: .*11:30 AM E[DS]T/).waitFor();
  await provider.getByText('What to do: Top up the balance').waitFor();
  await provider.getByText('Paused', { exact: true }).waitFor();
});
