import type { LoggedText } from '@daylift/contracts/sms-operations.http';
import { expect, it } from 'vitest';
import {
  expectNoSidewaysScroll,
  failedCall,
  mockCalls,
  type Page,
  phone,
  see,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const { product, openAdmin } = pages;

const log = (page: Page) => page.getByRole('region', { name: 'Delivery Log' });
const rowOf = (page: Page, number: string) => log(page).getByRole('row', { name: number });

it('shows the outcome of every text with subscriber and reason, and filters by status and date', async () => {
  const [reached, refused] = [await pages.subscriber({ name: '🌻🌻' }), await pages.subscriber()];
  await product.settle();
  await product.faults({
    recipients: { [refused.phone]: { code: '40310' } },
  });
  for (const { phone: number } of [reached, refused]) await product.reply(number, 'HELP');
  await product.settle();
  await product.faults({ reset: true });
  const page = await openAdmin('/admin/sms-system/delivery-log');
  await rowOf(page, reached.phone).getByText('Delivered').first().waitFor();
  const failure = rowOf(page, refused.phone).filter({ hasText: 'Failed' });
  await failure.getByText(/valid.*40310/).waitFor();
  await failure.getByText('HELP reply').waitFor();
  await log(page).getByLabel('Status').selectOption({ label: 'Failed' });
  await rowOf(page, reached.phone).first().waitFor({ state: 'detached' });
  await failure.waitFor();
  await log(page).getByLabel('To', { exact: true }).fill('2027-01-01');
  await see(page, 'No log entries match these filters.');
  await log(page).getByLabel('To', { exact: true }).fill('');
  await failure.getByRole('link', { name: 'Ada' }).click();
  await expect.poll(() => page.url()).toContain(refused.id);
  await page.goBack();
  await log(page).getByLabel('Status').selectOption('');
  // Their name is not used in texts.
  await rowOf(page, reached.phone).getByRole('link', { name: reached.phone }).first().click();
  await expect.poll(() => page.url()).toContain(reached.id);
});

const fake = (from: number, count: number): LoggedText[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `20270405-${String(from + index).padStart(32, '0')}`,
    user_id: null,
    first_name: '',
    to: `+1415555${String(from + index).padStart(4, '0')}`,
    kind: 'daily',
    message_content:
      'Breathe in, and begin with what is in front of you, whatever it may be today.',
    status: 'missed',
    reason: "It couldn't be sent in time.",
    error_code: null,
    batch_id: null,
    local_date: '2027-04-05',
    created_at: '2027-04-05T15:00:00.000Z',
    sent_at: null,
    finished_at: null,
    parts: 1,
    cost: '0.00400',
    currency: 'USD',
    is_test: false,
  }));

it('retries after a load error, and loads all older texts, even on a phone', async () => {
  let isLost = true;
  const page = await openAdmin('/admin/sms-system/delivery-log', {
    viewport: phone,
    expectComplaints: failedCall,
    prepare: (before) =>
      mockCalls(before, '/admin/sms-logs', (call) => {
        if (isLost) return { status: 500, json: { detail: 'x', code: 'X', request_id: 'r' } };
        const behind = call.url.searchParams.get('before');
        const rows = behind === null ? fake(0, 50) : fake(Number(behind.slice(-3)) + 1, 3);
        return { json: rows };
      }),
  });
  await log(page).getByText("We couldn't load this. Please try again.").waitFor();
  isLost = false;
  await log(page).getByRole('button', { name: 'Try again' }).click();
  await see(page, '50 shown, newest first');
  expect(
    await log(page).getByText('Breathe in, and begin with what is in front of you').count(),
  ).toBe(50);
  await log(page).getByRole('button', { name: 'Show older texts' }).click();
  await see(page, '53 shown, newest first; end of log');
  await log(page).getByText('+14155550052').waitFor();
  await expectNoSidewaysScroll(page);
});
