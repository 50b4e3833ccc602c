import { dayMs, minuteMs } from '@daylift/clock/durations';
import type { FreezeState } from '@daylift/contracts/freeze.http';
import { afterEach, expect, it } from 'vitest';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  mockCalls,
  narrow,
  type Page,
  pageLink,
  phone,
  press,
  see,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const { product, openAdmin } = pages;

const freeze = (reason?: string) =>
  product.api('POST', '/admin/freeze', reason ? { reason } : {}, pages.owner());
const lift = () => product.api('POST', '/admin/freeze/lift', { missed: 'skip' }, pages.owner());
const state = async () =>
  (await product.api<FreezeState>('GET', '/admin/freeze', undefined, pages.owner())).body;
const banner = (page: Page) => page.getByRole('region', { name: 'Sending is frozen' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const resumeButton = (page: Page) => banner(page).getByRole('button', { name: 'Resume sending…' });
const headerButton = (page: Page, name: string) =>
  page.getByRole('banner').getByRole('button', { name });

afterEach(async () => {
  await product.faults({ reset: true });
  await lift();
});

/** Creates a subscriber who gets a reply to HELP. */
async function createHelpTexter() {
  const person = await pages.subscriber();
  await product.settle();
  const before = (await product.texts(person.phone)).length;
  const countReplies = async () => (await product.texts(person.phone)).length - before;
  return { ...person, textHelp: () => product.reply(person.phone, 'HELP'), countReplies };
}

it('an operator freezes sending from any page, every page shows it, and waiting texts go out after resuming', async () => {
  const person = await createHelpTexter();
  const page = await openAdmin('/admin/subscribers');
  const other = await openAdmin('/admin/sms-system');
  await headerButton(page, 'Freeze sending').click();
  await see(page, 'All texts stop within a second');
  await see(page, 'No texts are with the provider right now.');
  await page.getByLabel('Reason (optional)').fill('Wrong words in today’s message');
  await dialog(page, 'Freeze all sending?')
    .getByRole('button', { name: 'Freeze sending' })
    .dblclick();
  for (const each of [page, other]) {
    await banner(each).waitFor();
    await see(each, 'Sending is frozen: Wrong words in today’s message');
  }
  await person.textHelp();
  await expect.poll(async () => (await state()).queued).toBe(1);
  await banner(page).getByText('1 waiting (1 since the freeze)').waitFor();
  await product.settle();
  expect(await person.countReplies()).toBe(0);
  await pageLink(page, 'Messages').click();
  await page.reload();
  await banner(page).getByRole('button', { name: 'Resume sending…' }).click();
  await see(page, '1 text of other kinds (welcome,');
  await page.getByRole('radio', { name: 'Send them now' }).waitFor();
  await dialog(page, 'Resume sending?').getByRole('button', { name: 'Resume sending' }).dblclick();
  await see(page, 'Sending resumed.');
  for (const each of [page, other]) await banner(each).waitFor({ state: 'detached' });
  await product.settle();
  expect(await person.countReplies()).toBe(1);
});

it("a freeze by someone else doesn't turn an open freeze dialog into the one that resumes, and a failed freeze says so and can be retried", async () => {
  const page = await openAdmin('/admin/subscribers', { expectComplaints: failedCall });
  const confirm = dialog(page, 'Freeze all sending?').getByRole('button', {
    name: 'Freeze sending',
  });
  await headerButton(page, 'Freeze sending').click();
  await confirm.waitFor();
  await freeze('By someone else');
  await see(page, 'Sending is frozen: By someone else');
  await confirm.click();
  await dialog(page, 'Freeze all sending?').waitFor({ state: 'detached' });
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect((await state()).frozen).toBe(true);

  await lift();
  const restore = await failCalls(page, 'POST', '/admin/freeze');
  await headerButton(page, 'Freeze sending').click();
  await confirm.click();
  await see(page, 'Error freezing sending. Please try again.');
  restore();
  await confirm.click();
  await banner(page).waitFor();
});

it('texts due during the freeze are skipped if the operator chooses so, and never shown as failed', async () => {
  const person = await pages.subscriber({ delivery_time: '13:00' });
  const date = new Date((await product.now()).getTime() + dayMs).toISOString().slice(0, 10);
  const slot = new Date(`${date}T17:00:00Z`);
  const announcement = { title: 'Skipped news', content: 'News', scheduled_date: date };
  await product.api(
    'POST',
    '/admin/scheduled-messages',
    { ...announcement, scheduled_time: '13:00', category: 'announcement' },
    pages.owner(),
  );
  await product.settle();
  const before = (await product.texts(person.phone)).length;
  await freeze();
  await product.advanceTo(new Date(slot.getTime() + 5 * minuteMs), 12);
  const page = await openAdmin('/admin/account');
  await resumeButton(page).click();
  await dialog(page, 'Resume sending?')
    .getByText(/gets? their text now/)
    .waitFor();
  await page.getByRole('radio', { name: 'Skip them' }).check();
  await press(page, /^Resume sending$/);
  await see(page, 'Texts from the freeze were skipped');
  await product.settle();
  expect((await product.texts(person.phone)).length).toBe(before);
  const go = (path: string) => page.goto(new URL(path, page.url()).href);
  await go('/admin/messages');
  const row = page.getByRole('row').filter({ hasText: 'Skipped news' });
  // Subscribers of other tests may be due later, in other zones.
  await row.getByText(/^0 sent, 0 failed, \d+ skipped/).waitFor();
  await go(`/admin/undelivered?date=${date}`);
  for (const kind of ['Daily text', 'Announcement'])
    await page
      .getByRole('row', { name: `Skipped ${kind} Skipped by staff after a freeze` })
      .waitFor();
  await go(`/admin/subscribers/${person.id}`);
  await see(page, 'Skipped by staff after a freeze.');
});

it('shows the reach, and requires typing it above 1,000', async () => {
  await freeze();
  const page = await openAdmin('/admin/account', {
    expectComplaints: failedCall,
    prepare: (one) =>
      mockCalls(one, '/admin/freeze/lift-preview', () => ({
        json: {
          catch_up: 1_234,
          is_estimate: false,
          estimated_cost: '8.6380',
          currency: 'USD',
          drain_seconds: 13,
          at_night: 12,
          in_the_morning: 40,
          skip: 1_300,
          too_late: 7,
          own_texts: 0,
        },
      })),
  });
  await resumeButton(page).click();
  await see(
    page,
    '1,234 people get their text now, for about $8.64, within 13 seconds. 12 of them are in quiet hours',
  );
  await see(page, '40 people would get theirs at 8:00 AM their time.');
  await see(page, "1,300 people won't get theirs. Later texts go out as planned.");
  await see(page, 'Too late for 7 people');
  const start = dialog(page, 'Resume sending?').getByRole('button', { name: 'Resume sending' });
  await expect.poll(() => start.isDisabled()).toBe(true);
  const number = page.getByLabel('This reaches 1,234 people. Type that number to continue.');
  await number.fill('1,243');
  await expect.poll(() => start.isDisabled()).toBe(true);
  await page.getByRole('radio', { name: 'Skip them' }).check();
  await expect.poll(() => start.isEnabled()).toBe(true);
  await page.getByRole('radio', { name: 'Send them now' }).check();
  await number.fill('1,234');
  const restore = await failCalls(page, 'POST', '/admin/freeze/lift');
  await start.click();
  await see(page, 'Error resuming sending. Please try again.');
  restore();
  await start.click();
  await banner(page).waitFor({ state: 'detached' });
});

it('a provider that rejects everything is shown on every page with advice, and can be retried; a viewer sees it and the freeze, and can change neither', async () => {
  let kind = 'refuses';
  const refusing = async (page: Page) => {
    // Otherwise the live stream delivers the real state.
    await failCalls(page, 'GET', '/admin/live');
    const provider = {
      since: '2027-04-05T15:00:00.000Z',
      code: 'provider_20100',
      problem: 'account balance is empty',
      advice: 'Top it up.',
      next_try_at: '2027-04-05T15:30:00.000Z',
    };
    await mockCalls(page, '/admin/freeze', () => ({
      json: { ...now, provider: { ...provider, kind } },
    }));
  };
  const now = await state();
  const options = { prepare: refusing, expectComplaints: failedCall };
  const page = await openAdmin('/admin/subscribers', options);
  const notice = page.getByRole('region', { name: 'The provider is rejecting all texts' });
  await notice.getByText(/account balance is empty/).waitFor();
  await notice.getByText(/11:00 AM E[DS]T \(code 20100\)\. What to do: Top it up\./).waitFor();
  await notice.getByText(/Next retry: .* 11:30 AM E[DS]T/).waitFor();
  await failCalls(page, 'POST', '/admin/send-pause/try');
  await notice.getByRole('button', { name: 'Retry now' }).click();
  await notice.getByText('Error testing the provider. Please try again.').waitFor();
  await mockCalls(page, '/admin/send-pause/try', () => ({ json: { result: 'nothing_to_try' } }));
  await notice.getByRole('button', { name: 'Retry now' }).click();
  await notice.getByText("There's no waiting text to test with.").waitFor();
  kind = 'down';
  await mockCalls(page, '/admin/send-pause/try', () => ({ json: { result: 'refused' } }));
  await notice.getByRole('button', { name: 'Retry now' }).click();
  await see(page, 'Retried: the provider is still down.');
  await freeze('A drill');
  const viewerPage = await openAdmin('/admin/account', {
    expectComplaints: failedCall,
    token: await pages.admin('viewer'),
  });
  await viewerPage.getByText('Live', { exact: true }).waitFor();
  await banner(viewerPage).getByText('An operator can resume it.').waitFor();
  await expect
    .poll(() => viewerPage.getByRole('button', { name: /Resume|Freeze/ }).count())
    .toBe(0);
  await refusing(viewerPage);
  await viewerPage.reload();
  expect(await viewerPage.getByRole('button', { name: 'Retry now' }).isDisabled()).toBe(true);
});

it('is accessible and usable by keyboard at every width', async () => {
  const page = await openAdmin('/admin/sms-system', { viewport: phone });
  await expect.poll(() => headerButton(page, 'Freeze sending').isEnabled()).toBe(true);
  for (const word of ['Freeze', 'Logout'])
    expect((await page.getByText(word).first().boundingBox())?.width).toBeGreaterThan(20);
  await headerButton(page, 'Freeze sending').focus();
  await page.keyboard.press('Enter');
  await dialog(page, 'Freeze all sending?').waitFor();
  await expectNoBarriers(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await banner(page).waitFor();
  const figures = banner(page).getByText(/with the provider/);
  expect(await figures.isVisible()).toBe(false);
  await banner(page).getByRole('button', { name: 'Details' }).click();
  await figures.waitFor();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
  expect((await banner(page).boundingBox())?.y).toBeGreaterThan(0);
  await product.faults({
    error: { telnyx: { rate: 1, code: '20100' } },
  });
  await expectNoBarriers(page);
  await resumeButton(page).click();
  await see(page, 'Send them now');
  const row = await page.locator('nav[aria-label=Pages]').boundingBox();
  const dialogBox = await dialog(page, 'Resume sending?').boundingBox();
  expect(dialogBox?.y).toBeGreaterThanOrEqual((row?.y ?? 0) + (row?.height ?? 0));
  await expectNoBarriers(page, '[role=dialog]');
  for (const viewport of [narrow, phone, { width: 768, height: 1024 }]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
  }
  await page.keyboard.press('Escape');
  await dialog(page, 'Resume sending?').waitFor({ state: 'detached' });
});
