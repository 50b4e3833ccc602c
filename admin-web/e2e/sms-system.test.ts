import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SmsBatch } from '@daylift/contracts/sms.http';
import type { TestingModeSettings } from '@daylift/contracts/sms-operations.http';
import { afterEach, expect, it } from 'vitest';
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
  pageLink,
  phone,
  press,
  refuseCalls,
  see,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const { product, openAdmin } = pages;

const open = (options: Parameters<typeof openAdmin>[1] = {}) =>
  openAdmin('/admin/sms-system', options);
const goTo = (page: Page, section: string) =>
  page
    .getByRole('navigation', { name: 'SMS System sections' })
    .getByRole('link', { name: section })
    .click();
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const switchOff = () =>
  product.api('POST', '/admin/settings/testing-mode', { enabled: false }, pages.owner());
const switchOn = (test_phone: string) =>
  product.api('POST', '/admin/settings/testing-mode', { enabled: true, test_phone }, pages.owner());
const alerts = (body: object) =>
  product.api('POST', '/admin/settings/alert-email', body, pages.owner());

afterEach(async () => {
  await switchOff();
  await alerts({ email: '', enabled: false });
});

it('its sections show the queue, the scheduler, the actual configuration and figures', async () => {
  await pages.subscriber();
  await product.settle();
  const page = await open();
  for (const name of ['Pending Jobs', 'Processing', 'Users Due', 'Scheduler'])
    await see(page, name);
  await see(page, 'Running');
  await goTo(page, 'Provider');
  const provider = section(page, 'Provider');
  for (const fact of ['Sandbox', '50 msgs/sec', '50 msgs/batch', '+18885550123'])
    await provider.getByText(fact).waitFor();
  await provider.getByText(/\$0\.00\d \(latest receipt\)/).waitFor();
  await goTo(page, 'Statistics');
  await section(page, 'Delivery Time Distribution')
    .getByText(/by chosen hour/)
    .waitFor();
  await page.getByText('Show as table').last().click();
  const daily = section(page, 'Daily SMS Statistics');
  for (const name of ['Sent', 'Successful', 'Failed', 'Cost'])
    await daily.getByText(name, { exact: true }).first().waitFor();
  await daily.getByText(/^\$\d+\.\d{3}$/).waitFor();
  await daily.getByText('daily texts and announcements, from provider receipts').waitFor();
  const hours = page.getByRole('table', { name: 'Delivery time distribution' });
  await hours.getByText('9:00 AM').waitFor();
  await expect.poll(() => hours.getByRole('row').count()).toBe(25);
  await goTo(page, 'Batches');
  const batches = section(page, 'Recent Batches');
  await batches.getByRole('table').or(batches.getByText('No batches yet')).first().waitFor();
});

it('testing mode is enabled for a valid number, shown on every page, and disabled', async () => {
  const person = await pages.subscriber();
  await product.settle();
  const testPhone = aPhone();
  const page = await open({ expectComplaints: failedCall });
  const card = section(page, 'Testing Mode');
  const confirm = async (number: string) => {
    await card.getByLabel('Test phone number').fill(number);
    await card.getByRole('button', { name: 'Turn on testing mode' }).click();
    await dialog(page, 'Turn on testing mode?').getByRole('button', { name: 'Turn on' }).click();
  };
  await confirm('+1234567890');
  await card.getByText("This number is too short or doesn't exist.").waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('input[type=tel]:focus').waitFor();
  const restore = await failCalls(page, 'POST', '/admin/settings/testing-mode');
  await confirm(testPhone);
  await see(page, 'Error updating testing mode settings');
  restore();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await card.getByLabel('Test phone number').fill('');
  await card.getByRole('button', { name: 'Turn on testing mode' }).click();
  await see(page, 'Enter a test phone number');
  for (const wrong of ['abc', '+12345']) {
    await card.getByLabel('Test phone number').fill(wrong);
    await card.getByRole('button', { name: 'Turn on testing mode' }).click();
    await see(page, 'Enter the whole number');
    expect(await page.getByRole('dialog').count()).toBe(0);
  }
  await card.getByLabel('Test phone number').fill(testPhone);
  await card.getByRole('button', { name: 'Turn on testing mode' }).click();
  const confirmation = dialog(page, 'Turn on testing mode?');
  await confirmation.getByText(testPhone).waitFor();
  await confirmation.getByText('never to the test number').waitFor();
  await confirmation.getByRole('button', { name: 'Turn on' }).dblclick();
  const banner = page.getByRole('region', { name: 'Testing mode is on' });
  await banner.getByText(`All texts have gone to ${testPhone} since`).waitFor();
  const before = (await product.texts(person.phone)).length;
  await product.reply(person.phone, 'HELP');
  await product.settle();
  expect((await product.texts(testPhone)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^\[Test\] /),
  ]);
  expect(await product.texts(person.phone)).toHaveLength(before);
  const log = section(page, 'Delivery Log');
  await goTo(page, 'Delivery log');
  await log.getByRole('row', { name: testPhone }).getByText('Test', { exact: true }).waitFor();
  for (const tab of ['Dashboard', 'Subscribers', 'Messages']) {
    await pageLink(page, tab).click();
    await banner.waitFor();
  }
  await banner.getByRole('link', { name: 'Turn it off' }).click();
  await card.getByRole('button', { name: 'Turn off testing mode' }).click();
  await dialog(page, 'Turn off testing mode?').getByRole('button', { name: 'Turn off' }).dblclick();
  await banner.waitFor({ state: 'detached' });
  await see(page, 'Testing mode is off.');
});

it('alert settings are saved, and each invalid one is named', async () => {
  const page = await open({ expectComplaints: failedCall });
  const card = section(page, 'Alert Settings');
  await card.getByText('Failure alerts are off.').waitFor();
  expect(await card.getByLabel('Failure threshold (%)').inputValue()).toBe('20');
  const save = () => card.getByRole('button', { name: 'Save alert settings' }).click();
  await card.getByLabel('Failure threshold (%)').fill('101');
  await save();
  await see(page, 'Enter a whole number from 1 to 100');
  await card.getByLabel('Failure threshold (%)').fill('20.5');
  await save();
  await see(page, 'Enter a whole number from 1 to 100');
  expect(await card.getByLabel('Failure threshold (%)').inputValue()).toBe('20.5');
  await card.getByLabel('Failure threshold (%)').fill('25');
  await card.getByLabel('Alert email').fill('ops@');
  await save();
  await card.getByText('Not a valid email address.').waitFor();
  await expect.poll(() => card.getByLabel('Alert email').getAttribute('aria-invalid')).toBe('true');
  await card.getByLabel('Alert email').fill('ops@example.com');
  await save();
  const words =
    'ops@example.com gets an email when more than 25% of texts fail in a batch or an hour.';
  await see(page, words);
  await page.reload();
  await see(page, words);
  await expect.poll(() => card.getByLabel('Send alerts').isChecked()).toBe(true);
  await card.getByLabel('Send alerts').uncheck();
  await save();
  await card.getByText('Failure alerts are off.').waitFor();
  await failCalls(page, 'POST', '/admin/settings/alert-email');
  await save();
  await see(page, 'Error updating alert settings');
  await refuseCalls(page, 'POST', '/admin/settings/alert-email', 'Somebody else is at it.');
  await save();
  await see(page, 'Somebody else is at it.');
});

it('an operator has all buttons; the scheduler and the queue run once for a double click, after showing the reach', async () => {
  const page = await open({
    token: await pages.admin('operator'),
    expectComplaints: failedCall,
  });
  for (const name of [
    'Run Scheduler',
    'Process Queue',
    'Export CSV',
    'Turn on testing mode',
    'Save alert settings',
  ])
    await expect.poll(() => page.getByRole('button', { name }).isEnabled()).toBe(true);
  for (const { name, title, done, path, failed } of [
    {
      name: 'Run Scheduler',
      title: 'Run the scheduler now?',
      done: /No texts are due right now|queued/,
      path: '/admin/scheduler/run',
      failed: 'Error running scheduler',
    },
    {
      name: 'Process Queue',
      title: 'Process the queue now?',
      done: /texts? processed, \d+ failed/,
      path: '/admin/scheduler/process-queue',
      failed: 'Error processing queue',
    },
  ]) {
    const calls = await holdCalls(page, 'POST', path);
    await press(page, name);
    const confirmation = dialog(page, title);
    await confirmation
      .getByText(/due|waiting/)
      .last()
      .waitFor();
    await press(page, 'Cancel');
    await confirmation.waitFor({ state: 'detached' });
    expect(calls.count).toBe(0);
    await press(page, name);
    await confirmation.getByRole('button', { name }).dblclick();
    await expect.poll(() => calls.count).toBe(1);
    calls.release();
    await see(page, done);
    await confirmation.waitFor({ state: 'detached' });
    expect(calls.count).toBe(1);
    await failCalls(page, 'POST', path);
    await press(page, name);
    await confirmation.getByRole('button', { name }).click();
    await see(page, failed);
    await refuseCalls(page, 'POST', path, 'Somebody else is at it.');
    await confirmation.getByRole('button', { name }).click();
    await confirmation.getByText('Somebody else is at it.').waitFor();
    await press(page, 'Cancel');
  }
});

it('the delivery report is saved under its date, and its errors are shown', async () => {
  const person = await pages.subscriber();
  await product.settle();
  const page = await open({ expectComplaints: failedCall });
  await press(page, 'Export CSV');
  const exportDialog = dialog(page, 'Export the delivery report');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    exportDialog.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^delivery-report-\d{4}-\d\d-\d\d\.csv$/);
  const file = await readFile(await download.path(), 'utf8');
  expect(file).toMatch(/^id,local_date,kind,status,/);
  expect(file).toContain(`'${person.phone}`);
  await see(page, 'Delivery report downloaded.');
  await press(page, 'Export CSV');
  await exportDialog.getByLabel('First day').fill('2020-01-01');
  await exportDialog.getByRole('button', { name: 'Export CSV' }).click();
  await see(page, 'at most 366 days');
  await failCalls(page, 'GET', '/admin/sms-logs/export');
  await exportDialog.getByRole('button', { name: 'Export CSV' }).click();
  await see(page, 'Error exporting delivery logs');
});

it('Refresh Status reloads everything, also while live, and says when figures may be old', async () => {
  const page = await open({ expectComplaints: failedCall });
  await see(page, 'Running');
  await page.getByText('Live', { exact: true }).waitFor();
  const restore = await failCalls(page, 'GET', '/admin/scheduler/status');
  await press(page, 'Refresh Status');
  await see(page, 'It may be out of date');
  expect(await page.getByText('All figures are up to date.').count()).toBe(0);
  restore();
  const responded = page.waitForResponse('**/admin/scheduler/status');
  await press(page, 'Refresh Status');
  expect((await responded).status()).toBe(200);
  await page.getByText('It may be out of date').waitFor({ state: 'detached' });
  await see(page, 'All figures are up to date.');
});

it("a viewer sees everything except full numbers, and can't change anything", async () => {
  const person = await pages.subscriber();
  const testPhone = aPhone();
  await switchOn(testPhone);
  const page = await open({ token: await pages.admin('viewer') });
  const shown = `+1••••••••${testPhone.slice(-2)}`;
  await see(page, `All texts have gone to ${shown}`);
  for (const name of ['Run Scheduler', 'Process Queue', 'Export CSV'])
    expect(await page.getByRole('button', { name }).isDisabled(), name).toBe(true);
  await see(page, 'Only operators can change this.');
  await see(page, 'Only operators can change this.');
  await goTo(page, 'Delivery log');
  await section(page, 'Delivery Log').getByRole('table').waitFor();
  const words = await page.locator('body').textContent();
  expect(words).not.toContain(testPhone);
  expect(words).not.toContain(person.phone);
});

it('is accessible with large figures; a control that reaches more than 1,000 people requires typing the number', async () => {
  await switchOn(aPhone());
  const before = (
    await product.api<TestingModeSettings>(
      'GET',
      '/admin/settings/testing-mode',
      undefined,
      pages.owner(),
    )
  ).body;
  expect(before.testing_mode_enabled).toBe(true);
  const batches = Array.from({ length: 7 }, (_, index) => ({
    id: randomUUID(),
    name: `Batch ${index + 1}`,
    created_at: '2027-04-05T15:00:00.000Z',
    total_jobs: 20_000,
    completed_jobs: 15_000,
    failed_jobs: 5_000,
    missed_jobs: 0,
    opted_out_jobs: 0,
    skipped_jobs: 0,
    status: 'completed',
    stop: null,
    failure_rate: 25,
  }));
  const page = await open({
    expectComplaints: failedCall,
    prepare: async (before) => {
      await mockCalls(before, '/admin/live', () => 'lost');
      await mockCalls(before, '/admin/sms-batches', () => ({ json: batches }));
      await mockCalls(before, '/admin/scheduler/status', () => ({
        json: {
          pending_jobs: 20,
          processing_jobs: 0,
          users_due_for_messages: 1_500,
          scheduler_running: false,
        },
      }));
    },
  });
  await see(page, 'Idle');
  await section(page, 'Alert Settings').getByLabel('Alert email').waitFor();
  await expectNoBarriers(page);
  await press(page, 'Run Scheduler');
  const run = dialog(page, 'Run the scheduler now?');
  await run
    .getByText(/1,500 people are due this hour.*Estimated maximum cost: \$\d+\.\d\d\./)
    .waitFor();
  const confirm = run.getByRole('button', { name: 'Run Scheduler' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await run.getByLabel(/Type that number/).fill('1500');
  await expect.poll(() => confirm.isDisabled()).toBe(false);
  await run.getByRole('button', { name: 'Cancel' }).click();
  await run.waitFor({ state: 'detached' });
  await goTo(page, 'Delivery log');
  await section(page, 'Delivery Log')
    .getByText(/shown, newest first|No texts/)
    .first()
    .waitFor();
  await expectNoBarriers(page);
  await goTo(page, 'Batches');
  for (const viewport of [phone, narrow]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
  }
  // Content below the batches isn't twenty cards away.
  const last = section(page, 'Recent Batches').getByText('Batch 7');
  expect(await last.isVisible()).toBe(false);
  await press(page, 'Show all 7');
  await last.waitFor();
  await goTo(page, 'Overview');
  await press(page, 'Export CSV');
  await dialog(page, 'Export the delivery report').waitFor();
  await expectNoBarriers(page);
  await expectNoSidewaysScroll(page);
});

it('lists what is done about each provider error, with counts, also on a phone', async () => {
  const person = await pages.subscriber();
  await product.settle();
  await product.faults({
    recipients: { [person.phone]: { code: '40322' } },
  });
  await product.reply(person.phone, 'HELP');
  await product.settle();
  await product.faults({ reset: true });
  const page = await open();
  await goTo(page, 'Errors');
  const errors = page.getByRole('table', { name: 'Provider errors' });
  const blocked = errors.getByRole('row').filter({ hasText: '40322' });
  await blocked.getByText('The provider blocked it because of its content.').waitFor();
  await blocked.getByText('held until an operator resumes it').waitFor();
  expect(Number(await blocked.getByRole('cell').last().textContent())).toBeGreaterThan(0);
  await expectNoBarriers(page);
  for (const viewport of [phone, narrow]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
  }
});

it('a stopped batch says why, an operator resumes it, and texts that were too late are missed', async () => {
  const stopped: SmsBatch = {
    id: randomUUID(),
    name: 'Daily texts',
    created_at: '2027-04-05T13:00:00.000Z',
    total_jobs: 100,
    completed_jobs: 2,
    failed_jobs: 1,
    // No `missed_jobs`, as from the previous version of sms-gateway.
    opted_out_jobs: 0,
    skipped_jobs: 0,
    status: 'stopped',
    stop: { reason: 'A carrier blocked it as spam. (Error 40003.)', resumes_at: null },
    failure_rate: 33.3,
  };
  const allMissed = { completed_jobs: 0, failed_jobs: 0, missed_jobs: 100, failure_rate: 0 };
  let resumed = '';
  const page = await openAdmin('/admin/sms-system/batches', {
    expectComplaints: failedCall,
    prepare: async (before) => {
      await mockCalls(before, '/admin/live', () => 'lost');
      await mockCalls(before, '/admin/sms-batches', () => ({
        json: resumed ? [{ ...stopped, status: 'failed', stop: null, ...allMissed }] : [stopped],
      }));
      await mockCalls(before, '/admin/sms-batches/*/resume', (call) => {
        resumed = call.url.href;
        return { json: { detail: 'The rest of the batch is being sent.' } };
      });
    },
  });
  await see(
    page,
    'A carrier blocked it as spam. (Error 40003.) Held until an operator resumes it.',
  );
  await page.getByRole('button', { name: 'Cancel: Daily texts' }).click();
  const cancel = dialog(page, 'Cancel the held texts of Daily texts?');
  await cancel.getByText("97 held texts won't be sent.").waitFor();
  await cancel.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Resume: Daily texts' }).click();
  const resume = dialog(page, 'Resume Daily texts?');
  await resume.getByText('those of the 97 held texts').waitFor();
  await resume.getByRole('button', { name: 'Resume' }).click();
  await see(page, 'Batch resumed.');
  expect(resumed).toContain(stopped.id);
  const row = page.getByRole('row').filter({ hasText: 'Daily texts' });
  await row.getByText('Missed', { exact: true }).waitFor();
  await row.getByText('100 of 100').waitFor();
});
