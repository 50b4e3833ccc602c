import type { PlanView } from '@daylift/contracts/billing.http';
import { beforeAll, describe, expect, it } from 'vitest';
import { tabTo, typeInto } from '../../deploy/system-tests/browser/by-keyboard.ts';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  type Page,
  phone,
  press,
  type Subscriber,
  see,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const { product, openAdmin } = pages;
const pageOf = ({ id }: Subscriber) => `/admin/subscribers/${id}`;
const dialog = (page: Page) => page.getByRole('dialog');
const card = (page: Page) => page.getByRole('region', { name: 'Subscription', exact: true });
const confirm = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true });
const planOf = async ({ token }: Subscriber) =>
  (await product.api<PlanView>('GET', '/users/me/plan', undefined, token)).body;

const upgrade = async ({ token }: Subscriber) => {
  await product.api('POST', '/users/me/plan/upgrade', { plan: 'monthly' }, token);
  await product.settle();
};
const opener = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true });
const focusReturnsTo = (page: Page, name: string) =>
  page.locator('button:focus').and(opener(page, name)).waitFor();

/** Returns the titles of the dialog until it has closed. */
const titlesUntilClosed = (page: Page) =>
  dialog(page).evaluate(
    (opened) =>
      new Promise<(string | null)[]>((resolve) => {
        const seen = new Set<string | null>();
        const read = () => {
          const title = opened.querySelector('h2');
          if (title !== null) seen.add(title.textContent);
          if (!opened.isConnected) resolve([...seen]);
        };
        const changes = { subtree: true, childList: true, characterData: true };
        new MutationObserver(read).observe(document.body, changes);
      }),
  );

let rita: Subscriber;
beforeAll(async () => {
  rita = await pages.subscriber({ name: 'Rita Refund' });
  await product.settle();
  await upgrade(rita);
});

describe("Refunds and plan changes on a subscriber's page", () => {
  it('are limited for operators and hidden from viewers', async () => {
    const page = await openAdmin(pageOf(rita), { token: await pages.admin('operator') });
    await press(page, 'Give Credit');
    await page.getByLabel('Amount (USD)').fill('50.01');
    await see(
      page,
      /^The 30-day operator limit for this subscriber has \$50\.00 left\. Ask an owner/,
    );
    expect(await confirm(page, 'Give $50.01 Credit').isDisabled()).toBe(true);
    const viewer = await openAdmin(pageOf(rita), { token: await pages.admin('viewer') });
    await card(viewer).getByText('Next charge').waitFor();
    expect(await viewer.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
  });

  it('refund once, after a dialog that names the amount and the person', async () => {
    const page = await openAdmin(pageOf(rita), { viewport: phone });
    await press(page, 'Refund');
    const refund = confirm(page, 'Refund');
    expect(await refund.isDisabled()).toBe(true);
    await page.getByLabel('Amount (USD)').fill('5');
    await see(page, 'Only $4.99 of this payment is left to refund.');
    await page.getByLabel('Amount (USD)').fill('1.23');
    await see(page, /^Rita Refund gets \$1\.23 of the \$4\.99 paid on .* refunded to their card\./);
    await page.getByLabel('Reason').fill('Texts came late');
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page, '[role=dialog]');
    await confirm(page, 'Refund $1.23').dblclick();
    await see(page, 'Done. Rita Refund will get an email about it.');
    await see(page, /\$1\.23 refunded/);
    await see(page, 'Refunded $1.23');
    await see(page, 'Reason: Texts came late');
    await focusReturnsTo(page, 'Refund');
    await product.settle();
    const log = await openAdmin('/admin/settings/audit-log');
    await log.getByRole('row').filter({ hasText: 'Refunded a subscriber' }).first().waitFor();
  });

  it('give credit once when responses are lost, however often it is confirmed', async () => {
    const page = await openAdmin(pageOf(rita), { expectComplaints: /ERR_FAILED/ });
    await page.route(
      '**/credit',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 2 },
    );
    const fill = async () => {
      await press(page, 'Give Credit');
      await page.getByLabel('Amount (USD)').fill('1.50');
      await page.getByLabel('Reason').fill('Texts came late');
    };
    await fill();
    for (const _ of [1, 2]) {
      const lost = page.waitForEvent('requestfailed');
      await confirm(page, 'Give $1.50 Credit').click();
      await lost;
      await dialog(page).getByRole('alert').waitFor();
    }
    await confirm(page, 'Cancel').click();
    await fill();
    await confirm(page, 'Give $1.50 Credit').click();
    await see(page, 'Done. Rita Refund will get an email about it.');
    expect((await planOf(rita)).credit_cents).toBe(150);
  });

  it('work with the keyboard alone, say what they will change, and return the focus', async () => {
    const person = await pages.subscriber({ name: 'Kay Keys' });
    await product.settle();
    const page = await openAdmin(pageOf(person), { expectComplaints: /409 \(Conflict\)/ });
    const { keyboard } = page;
    const skipToContent = async () => {
      await tabTo(page, page.getByRole('link', { name: 'Skip to content' }), {
        checksStops: false,
      });
      await keyboard.press('Enter');
      await page.locator('main:focus').waitFor();
    };
    const open = async (name: string) => {
      await opener(page, name).waitFor();
      await tabTo(page, opener(page, name));
      await keyboard.press('Enter');
      await page.locator('[role=dialog] :focus').waitFor();
    };
    const confirmWith = async (name: string) => {
      await typeInto(page, page.getByLabel('Reason'), 'They asked by phone');
      await tabTo(page, confirm(page, name));
      await keyboard.press('Enter');
    };
    const isDone = async () => {
      await see(page, 'Done. Kay Keys will get an email about it.');
      await dialog(page).waitFor({ state: 'detached' });
    };

    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await skipToContent();
    await open('Extend Trial');
    const titles = titlesUntilClosed(page);
    await confirmWith('Extend by 7 Days');
    expect(await titles, 'while the dialog closes').toEqual(['Extend trial']);
    await focusReturnsTo(page, 'Extend Trial');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await upgrade(person);
    await page.reload();

    await skipToContent();
    await open('Refund');
    await typeInto(page, page.getByLabel('Amount (USD)'), '1.23');
    await confirmWith('Refund $1.23');
    await isDone();
    await see(page, 'Refunded $1.23');
    await focusReturnsTo(page, 'Refund');
    await open('Give Credit');
    await typeInto(page, page.getByLabel('Amount (USD)'), '1.50');
    await confirmWith('Give $1.50 Credit');
    await isDone();
    await focusReturnsTo(page, 'Give Credit');
    await open('Give Free Days');
    await see(page, /^Kay Keys's next charge moves from .* to .*\./);
    await confirmWith('Give 7 Free Days');
    await isDone();
    await focusReturnsTo(page, 'Give Free Days');
    await card(page).getByText('Free until').waitFor();
    expect(await planOf(person)).toMatchObject({
      credit_cents: 150,
      free_until: expect.any(String),
    });
    const own = await pages.open('/dashboard?tab=plan', { as: person });
    await see(own, /^You have free texts until .*\. Your next charge is on /);

    await open('Cancel Plan');
    await see(page, /^Kay Keys gets texts until .* and won't be charged again\./);
    await tabTo(page, page.getByRole('radio', { name: 'At the end of the current period' }));
    await keyboard.press('ArrowDown');
    await see(page, /^Kay Keys's plan ends now\./);
    await confirmWith('End Plan Now');
    await isDone();
    expect((await planOf(person)).status).toBe('canceled');
    await skipToContent();
    await open('Give Free Access');
    const lastDay = page.getByLabel('Last day');
    await typeInto(page, lastDay, '01012099');
    await confirmWith('Give Free Access');
    await dialog(page)
      .getByText(/Choose a date within the next two years\./)
      .waitFor();
    await lastDay.fill('2027-06-18');
    await tabTo(page, confirm(page, 'Give Free Access'));
    await keyboard.press('Enter');
    await isDone();
    await card(page).getByText('Free until').waitFor();
    await card(page).getByText('Free Access', { exact: true }).waitFor();
  });
});
