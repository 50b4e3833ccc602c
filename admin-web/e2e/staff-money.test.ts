import type { PlanView } from '@daylift/contracts/billing.http';
import { describe, expect, it } from 'vitest';
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

async function paying(name: string): Promise<Subscriber> {
  const person = await pages.subscriber({ name });
  await product.settle();
  await product.api('POST', '/users/me/plan/upgrade', { plan: 'monthly' }, person.token);
  await product.settle();
  return person;
}

describe("Refunds and plan changes on a subscriber's page", () => {
  it('refund once, after a dialog that names the amount and the person', async () => {
    const person = await paying('Rita Refund');
    const page = await openAdmin(pageOf(person), { viewport: phone });
    await press(page, 'Refund');
    const refund = confirm(page, 'Refund');
    expect(await refund.isDisabled()).toBe(true);
    await page.getByLabel('Amount (USD)').fill('5');
    await see(page, 'Only $4.99 of this payment is left to refund.');
    await page.getByLabel('Amount (USD)').fill('1.23');
    await see(page, /^Rita Refund gets \$1\.23 of the \$4\.99 paid on .* refunded to their card\./);
    await page.getByLabel('Reason').fill('Texts came late');
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await confirm(page, 'Refund $1.23').dblclick();
    await see(page, 'Done. Rita Refund will get an email about it.');
    await see(page, /\$1\.23 refunded/);
    await see(page, 'Refunded $1.23');
    await see(page, 'Reason: Texts came late');
    await product.settle();
    const log = await openAdmin('/admin/settings/audit-log');
    await log.getByRole('row').filter({ hasText: 'Refunded a subscriber' }).first().waitFor();
  });

  it('give credit once when responses are lost, however often it is confirmed', async () => {
    const person = await paying('Lou Lost');
    const page = await openAdmin(pageOf(person), { expectComplaints: /ERR_FAILED/ });
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
    await see(page, 'Done. Lou Lost will get an email about it.');
    expect((await planOf(person)).credit_cents).toBe(150);
  });

  it('give free days without a charge and show them to the subscriber', async () => {
    const person = await paying('Fay Free');
    const page = await openAdmin(pageOf(person));
    await press(page, 'Give Free Days');
    await see(page, /^Fay Free's next charge moves from .* to .*\./);
    await page.getByLabel('Reason').fill('An outage');
    await confirm(page, 'Give 7 Free Days').click();
    await see(page, 'Done. Fay Free will get an email about it.');
    await card(page).getByText('Free until').waitFor();
    expect((await planOf(person)).free_until).not.toBeNull();
    const own = await pages.open('/dashboard?tab=plan', { as: person });
    await see(own, /^You have free texts until .*\. Your next charge is on /);
  });

  it('cancel a plan at the end of the period or now', async () => {
    const person = await paying('Carl Cancel');
    const page = await openAdmin(pageOf(person), { expectComplaints: /409 \(Conflict\)/ });
    await press(page, 'Cancel Plan');
    await see(page, /^Carl Cancel gets texts until .* and won't be charged again\./);
    await page.getByLabel('Now', { exact: true }).check();
    await see(page, /^Carl Cancel's plan ends now\./);
    await page.getByLabel('Reason').fill('They asked by phone');
    await confirm(page, 'End Plan Now').click();
    await see(page, 'Done. Carl Cancel will get an email about it.');
    expect((await planOf(person)).status).toBe('canceled');
    await press(page, 'Give Free Access');
    await page.getByLabel('Last day').fill('2099-01-01');
    await page.getByLabel('Reason').fill('A gift');
    await confirm(page, 'Give Free Access').click();
    await dialog(page)
      .getByText(/Choose a date within the next two years\./)
      .waitFor();
  });

  it('keep their words while the dialog closes', async () => {
    const person = await pages.subscriber({ name: 'Fay Fade' });
    await product.settle();
    const page = await openAdmin(pageOf(person), { reducedMotion: 'no-preference' });
    await press(page, 'Extend Trial');
    await page.getByLabel('Reason').fill('A slow week');
    const titles = dialog(page).evaluate(
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
    await confirm(page, 'Extend by 7 Days').click();
    expect(await titles).toEqual(['Extend trial']);
  });

  it('work with the keyboard alone, which returns to where it was', async () => {
    const person = await pages.subscriber({ name: 'Kay Keys' });
    await product.settle();
    const page = await openAdmin(pageOf(person));
    const { keyboard } = page;
    const opener = (name: string) => card(page).getByRole('button', { name, exact: true });
    const skipToContent = async () => {
      await tabTo(page, page.getByRole('link', { name: 'Skip to content' }), {
        checksStops: false,
      });
      await keyboard.press('Enter');
      await page.locator('main:focus').waitFor();
    };
    const open = async (name: string, back = false) => {
      await opener(name).waitFor();
      await tabTo(page, opener(name), { back });
      await keyboard.press('Enter');
      await page.locator('[role=dialog] :focus').waitFor();
    };
    const confirmWith = async (name: string) => {
      await typeInto(page, page.getByLabel('Reason'), 'They asked by phone');
      await tabTo(page, confirm(page, name));
      await keyboard.press('Enter');
      await dialog(page).waitFor({ state: 'detached' });
    };

    await skipToContent();
    await open('Extend Trial');
    await confirmWith('Extend by 7 Days');
    await page.locator('button:focus').and(opener('Extend Trial')).waitFor();
    await product.api('POST', '/users/me/plan/upgrade', { plan: 'monthly' }, person.token);
    await product.settle();
    await page.reload();

    await skipToContent();
    await open('Refund');
    await typeInto(page, page.getByLabel('Amount (USD)'), '1.23');
    await confirmWith('Refund $1.23');
    await see(page, 'Refunded $1.23');
    await page.locator('button:focus').and(opener('Refund')).waitFor();
    await open('Give Credit');
    await typeInto(page, page.getByLabel('Amount (USD)'), '1.50');
    await confirmWith('Give $1.50 Credit');
    await page.locator('button:focus').and(opener('Give Credit')).waitFor();
    await open('Give Free Days');
    await confirmWith('Give 7 Free Days');
    await page.locator('button:focus').and(opener('Give Free Days')).waitFor();
    expect(await planOf(person)).toMatchObject({
      credit_cents: 150,
      free_until: expect.any(String),
    });
    await open('Cancel Plan');
    await tabTo(page, page.getByRole('radio', { name: 'At the end of the current period' }));
    await keyboard.press('ArrowDown');
    await confirmWith('End Plan Now');
    expect((await planOf(person)).status).toBe('canceled');
    await skipToContent();
    await open('Give Free Access');
    await typeInto(page, page.getByLabel('Last day'), '06182027');
    await confirmWith('Give Free Access');
    await card(page).getByText('Free until').waitFor();
    await card(page).getByText('Free Access', { exact: true }).waitFor();
  });

  it('are limited for operators and hidden from viewers', async () => {
    const person = await paying('Lee Limit');
    const page = await openAdmin(pageOf(person), { token: await pages.admin('operator') });
    await press(page, 'Give Credit');
    await page.getByLabel('Amount (USD)').fill('50.01');
    await see(
      page,
      /^The 30-day operator limit for this subscriber has \$50\.00 left\. Ask an owner/,
    );
    expect(await confirm(page, 'Give $50.01 Credit').isDisabled()).toBe(true);
    const viewer = await openAdmin(pageOf(person), { token: await pages.admin('viewer') });
    await card(viewer).getByText('Next charge').waitFor();
    expect(await viewer.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
  });
});
