import {
  PlanPreview,
  PlanView,
  type UserInvoice,
  UserInvoiceList,
} from '@daylift/contracts/billing.http';
import { describe, expect, test } from 'vitest';
import { aPlan } from './answers.ts';
import {
  answer,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  mockCalls,
  narrow,
  type OpenOptions,
  type Page,
  phone,
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
const open = (options: OpenOptions = {}) =>
  pages.open('/dashboard?tab=plan', { as: reader(), ...options });
const billing = (page: Page) => page.getByRole('region', { name: 'Subscription Status' });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const portalPage = /\/p\/session\//;
const checkoutPage = /\/c\/pay\//;
const seeFact = (page: Page, name: string, value: string | RegExp) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) })
    .getByRole('definition')
    .filter({ hasText: value })
    .first()
    .waitFor();
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const plan = async (person: Subscriber) =>
  (await product.api<PlanView>('GET', '/users/me/plan', undefined, person.token)).body;
/** Returns charges and refunds so far, in cents, newest first. */
const billed = async (person: Subscriber) => {
  const path = '/users/me/invoices';
  const { body } = await product.api<UserInvoice[]>('GET', path, undefined, person.token);
  return body.map((one) => one.amount_cents);
};
const dayOf = (instant: string | null | undefined) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'America/New_York' }).format(
    new Date(instant ?? Number.NaN),
  );
const countCalls = (page: Page, path: string) => {
  const calls = { count: 0 };
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api${path}`) calls.count += 1;
  });
  return calls;
};
/** Waits until the services know the provider's state. */
const upgraded = async (person: Subscriber) => {
  const body = { plan: 'monthly' };
  await product.api('POST', '/users/me/plan/upgrade', body, person.token);
  await product.settle();
};

describe('The plan', () => {
  test('of a trial shows the next charge and the card, and can be retried after a load error, like its invoices', async () => {
    const restores: (() => void)[] = [];
    const page = await open({
      viewport: narrow,
      expectComplaints: failedCall,
      prepare: async (blank) => {
        restores.push(await failCalls(blank, 'GET', '/users/me/plan'));
        restores.push(await failCalls(blank, 'GET', '/users/me/invoices'));
      },
    });
    const retry = billing(page).getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    restores[0]?.();
    await retry.click();
    const { next_charge } = await plan(reader());
    await seeFact(page, 'Plan', 'Monthly');
    await seeFact(page, 'Price', '$4.99 a month');
    await seeFact(page, 'Next charge', `$4.99 on ${dayOf(next_charge?.at)}`);
    await seeFact(page, 'Card', 'Visa ending in 4242');
    restores[1]?.();
    await page
      .getByRole('region', { name: 'Invoices' })
      .getByRole('button', { name: 'Try again' })
      .click();
    await see(page, 'No invoices yet');
    await expectNoSidewaysScroll(page);
  });

  test('shows credits, and every invoice with its status, older ones on request, each as PDF', async () => {
    const invoice = (issued_at: string, changes: Partial<UserInvoice> = {}): UserInvoice => ({
      ...{ id: `in_${issued_at}`, issued_at, amount_cents: 499, refunded_cents: 0 },
      ...{ credit_cents: 0, currency: 'usd', status: 'paid', ...changes },
    });
    const all = [
      invoice('2027-04-01T03:30:00.000Z', {
        billed_to: 'Acme GmbH, Hauptstr. 1, 10115 Berlin, DE, Tax ID DE123456789',
      }),
      invoice('2027-03-01T15:00:00.000Z', { status: 'refunded', refunded_cents: 499 }),
      invoice('2027-02-01T15:00:00.000Z', { status: 'open', credit_cents: 34 }),
      invoice('2027-01-01T15:00:00.000Z', { status: 'void' }),
      ...Array.from({ length: 10 }, (_, n) =>
        invoice(new Date(Date.UTC(2026, 11 - n, 8, 15)).toISOString()),
      ),
    ];
    const view = aPlan({
      credit_cents: 250,
      next_charge: { at: '2027-05-08T03:30:00.000Z', amount_cents: 249 },
    });
    const page = await open({
      viewport: narrow,
      prepare: async (blank) => {
        await answer(blank, '/users/me/plan', PlanView, () => view);
        await answer(blank, '/users/me/invoices', UserInvoiceList, (query) => {
          const from = all.findIndex(({ id }) => id === query.get('before')) + 1;
          return all.slice(from, from + Number(query.get('limit')));
        });
        await mockCalls(blank, '/users/me/invoices/*/pdf', () => ({
          json: { url: `${product.urls.gateway}/terms` },
        }));
      },
    });
    await seeFact(page, 'Credit', '$2.50');
    await seeFact(page, 'Next charge', '$2.49 on May 7, 2027');
    const rows = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(12);
    expect((await rows.allTextContents()).slice(0, 5)).toEqual([
      'Mar 31, 2027$4.99Billed to Acme GmbH, Hauptstr. 1, 10115 Berlin, DE, Tax ID DE123456789PaidPDF',
      'Mar 1, 2027$4.99$4.99 refundedRefundedPDF',
      'Feb 1, 2027$4.99$0.34 credit usedOpenPDF',
      'Jan 1, 2027$4.99VoidPDF',
      'Dec 8, 2026$4.99PaidPDF',
    ]);
    await press(page, 'Load more');
    await expect.poll(() => rows.count()).toBe(14);
    expect(await button(page, 'Load more').count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await button(page, 'PDF of the invoice from Jan 1, 2027').click();
    await page.waitForURL('**/terms');
  });
});

describe('Upgrading now', () => {
  test('shows the price first, and charges it once for any number of clicks', async () => {
    const person = await pages.subscriber();
    const page = await open({ as: person });
    const calls = countCalls(page, '/users/me/plan/upgrade');
    await page.getByRole('link', { name: 'Upgrade to Full Plan' }).click();
    await seeFact(page, 'Charged now', '$4.99');
    await page.getByRole('radio', { name: /Yearly\s*Save 17%/ }).check();
    await seeFact(page, 'Charged now', '$49.99');
    await page.getByRole('radio', { name: /Monthly/ }).check();
    await button(page, 'Upgrade and Pay $4.99').waitFor();
    expect(calls.count).toBe(0);
    await expectNoBarriers(page);
    await button(page, 'Upgrade and Pay $4.99').dblclick();
    await see(page, `$4.99 was charged. A receipt is on its way to ${person.email}.`);
    expect(calls.count).toBe(1);
    await product.settle();
    expect(await billed(person)).toEqual([499]);
    await page.getByRole('link', { name: 'Go to Your Dashboard' }).click();
    await see(page, 'Active Subscription');
    await page.getByRole('link', { name: 'Manage Plan' }).click();
    await seeFact(page, 'Next charge', /^\$4\.99 on /);
    await page.goto(`${product.urls.gateway}/signup?plan=monthly`);
    await see(page, 'Nothing to upgrade');
  });

  test("shows the subscriber's currency and earlier price, and a saving only if prices compare", async () => {
    let view = aPlan({
      ...{ status: 'pending', currency: 'gbp', price_cents: 449, actions: ['checkout'] },
    });
    const page = await pages.open('/upgrade', {
      as: reader(),
      prepare: (blank) => answer(blank, '/users/me/plan', PlanView, () => view),
    });
    await page.getByRole('radio', { name: /Monthly\s*£4\.49/ }).waitFor();
    await button(page, 'Continue and Pay £4.49').waitFor();
    await page.getByRole('radio', { name: /Yearly/ }).check();
    await button(page, 'Continue and Pay £44.99').waitFor();
    expect(await page.getByText('$').count()).toBe(0);
    view = aPlan({ status: 'trial', price_cents: 399, actions: ['upgrade'] });
    await page.reload();
    await page.getByRole('radio', { name: /Monthly\s*\$3\.99/ }).waitFor();
    expect(await page.getByText(/^Save \d/).count()).toBe(0);
    // As from a version that has only dollars.
    await mockCalls(page, '/plans', async ({ real }) => ({
      json: { ...(await real()), currency: 'usd' },
    }));
    view = aPlan({ ...view, currency: 'gbp', price_cents: 449 });
    await page.reload();
    await page.getByRole('radio', { name: /Monthly\s*£4\.49/ }).waitFor();
    expect(await page.getByText(/^Save \d/).count()).toBe(0);
  });

  test('starts with the plan of the trial, unless the link names another, and is possible once free texts end', async () => {
    let view = aPlan({
      ...{ status: 'trial', plan: 'yearly', price_cents: 4999, actions: ['upgrade'] },
    });
    const page = await pages.open('/upgrade', {
      as: reader(),
      prepare: (blank) => answer(blank, '/users/me/plan', PlanView, () => view),
    });
    const expectChosen = async (name: RegExp) => {
      const radio = page.getByRole('radio', { name });
      await radio.waitFor();
      expect(await radio.isChecked()).toBe(true);
    };
    await expectChosen(/Yearly/);
    await page.goto(`${product.urls.gateway}/upgrade?plan=monthly`);
    await expectChosen(/Monthly/);
    const free_until = '2027-03-08T15:00:00.000Z';
    view = aPlan({ status: 'trial', free_until, actions: ['switch', 'cancel', 'portal'] });
    await page.reload();
    await see(page, 'Nothing to upgrade yet');
    await see(page, /^You have free texts until Mar 8, 2027\. You can upgrade once they end\.$/);
  });

  test('explains a changed price and a declined card, charges nothing automatically, and leads to another card and back', async () => {
    const person = await pages.subscriber({}, false);
    const session = await product.openCheckout(person.id);
    await product.pay(session, '4000000000000341');
    await product.api('GET', `/payments/status/${session}`);
    const before = await plan(person);
    let shown = 450;
    const preview = (): PlanPreview => ({
      ...{ plan: 'monthly', charge_now_cents: shown, credit_cents: 0 },
      ...{ next_charge: null, currency: 'usd' },
    });
    const page = await pages.open('/upgrade', {
      as: person,
      expectComplaints: failedCall,
      prepare: (blank) => answer(blank, '/users/me/plan/preview', PlanPreview, preview),
    });
    await button(page, 'Upgrade and Pay $4.50').waitFor();
    shown = 499;
    await press(page, 'Upgrade and Pay $4.50');
    await page
      .getByRole('alert')
      .getByText(/The amount has changed\./)
      .waitFor();
    await expectNoBarriers(page);
    expect(await plan(person)).toEqual(before);
    await button(page, 'Upgrade and Pay $4.99').click();
    await see(page, /Your card was declined\. You weren't charged, and your plan hasn't changed\./);
    expect(await plan(person)).toMatchObject({ status: 'trial' });
    await press(page, 'Change Your Card');
    await page.waitForURL(portalPage);
    await page.getByLabel('Card number').fill('5555555555554444');
    await page.getByLabel('Expiry (MM/YY)').fill('12/34');
    await page.getByLabel('CVC').fill('123');
    await page.getByLabel('Name on card').fill('Ada Morning');
    await press(page, 'Save card');
    await see(page, 'Your card has been saved.');
    await product.settle();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.waitForURL(`${product.urls.gateway}/dashboard?tab=plan`);
    await seeFact(page, 'Card', 'Mastercard ending in 4444');
    await page.getByRole('link', { name: 'Upgrade to Full Plan' }).click();
    await button(page, 'Upgrade and Pay $4.99').click();
    await see(page, "You're on the full plan");
  });
});

describe('Switching the plan', () => {
  test('in a trial costs nothing now, changes nothing if it fails, and can be undone', async () => {
    const person = await pages.subscriber();
    const page = await open({ as: person, viewport: narrow, expectComplaints: failedCall });
    const restore = await failCalls(page, 'POST', '/users/me/plan/switch');
    await press(page, 'Switch to Yearly');
    await seeFact(page, 'Charged now', 'Nothing');
    await seeFact(page, 'Next charge', /^\$49\.99 on /);
    await press(page, 'Switch Plan');
    await see(page, "We couldn't change your plan. Please try again.");
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await press(page, 'Not Now');
    await dialog(page, 'Switch to the Yearly plan?').waitFor({ state: 'detached' });
    await seeFact(page, 'Plan', 'Monthly');
    expect(await plan(person)).toMatchObject({ plan: 'monthly' });
    restore();
    await press(page, 'Switch to Yearly');
    await press(page, 'Switch Plan');
    await see(page, "You're now on the Yearly plan.");
    await seeFact(page, 'Price', '$49.99 a year');
    await press(page, 'Switch to Monthly');
    await press(page, 'Switch Plan');
    await see(page, "You're now on the Monthly plan.");
    await seeFact(page, 'Price', '$4.99 a month');
    expect(await billed(person)).toEqual([]);
  });

  test('of a paid plan charges once what was shown, and credits refunds', async () => {
    const person = await pages.subscriber();
    await upgraded(person);
    const page = await open({ as: person });
    const calls = countCalls(page, '/users/me/plan/switch');
    await press(page, 'Switch to Yearly');
    const confirm = button(page, /^Switch and Pay \$/);
    const [, dollars] = /\$([\d.]+)/.exec((await confirm.textContent()) ?? '') ?? [];
    await confirm.dblclick();
    await see(page, "You're now on the Yearly plan.");
    await product.settle();
    expect(calls.count).toBe(1);
    expect(await billed(person)).toEqual([Math.round(Number(dollars) * 100), 499]);
    await press(page, 'Switch to Monthly');
    await seeFact(page, 'Charged now', 'Nothing');
    await seeFact(page, 'Added to your credit', /^\$4\d\.\d\d$/);
    await press(page, 'Switch Plan');
    await see(page, "You're now on the Monthly plan.");
    await seeFact(page, 'Credit', /^\$4\d\.\d\d$/);
    await seeFact(page, 'Next charge', /^\$0\.00 on /);
  });
});

describe('Canceling', () => {
  test('takes two clicks, shows until when texts come, and can be undone', async () => {
    const person = await pages.subscriber();
    const page = await open({ as: person, expectComplaints: failedCall });
    const end = dayOf((await plan(person)).trial_end_date);
    await press(page, 'Cancel Plan');
    await dialog(page, 'Cancel your plan?')
      .getByText(`You'll keep getting your texts until ${end}`)
      .waitFor();
    await expectNoBarriers(page);
    const restoreCancel = await failCalls(page, 'POST', '/users/me/plan/cancel');
    await press(page, 'Yes, Cancel');
    await see(page, "We couldn't change your plan. Please try again.");
    restoreCancel();
    await press(page, 'Yes, Cancel');
    await see(page, "Your plan is canceled. You won't be charged.");
    await billing(page)
      .getByText(`You'll keep getting your texts until ${end}, and you won't be charged.`)
      .waitFor();
    await seeFact(page, 'Texts until', end);
    await seeFact(page, 'Next charge', 'None');
    await expectNoBarriers(page);
    const restoreUndo = await failCalls(page, 'POST', '/users/me/plan/undo-cancel');
    const keep = billing(page).getByRole('button', { name: 'Keep My Plan' });
    await keep.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await see(page, "We couldn't change your plan. Please try again.");
    restoreUndo();
    await keep.press('Enter');
    await see(page, 'Your plan continues.');
    await button(page, 'Switch to Yearly').and(page.locator(':focus')).waitFor();
    await seeFact(page, 'Next charge', `$4.99 on ${end}`);
    expect(await plan(person)).toMatchObject({ cancel_at_period_end: false });
  });
});

describe('After STOP', () => {
  test('every page says that texts are off, and keeping the plan warns that they stay off', async () => {
    const person = await pages.subscriber();
    await product.reply(person.phone, 'STOP');
    await product.settle();
    const page = await open({ as: person, viewport: narrow });
    const off = page.getByRole('region', { name: 'Texts are off' });
    const startLink = { name: 'Text START', exact: true };
    const openTab = async (tab: string) => {
      await page.getByRole('tab', { name: tab }).click();
      await off.getByText(/text START to \+1 888-555-0123 from \+1 415-/).waitFor();
    };
    await openTab('Settings');
    await see(page, /Your texts are off\. To turn them back on, text START to \+1 888-555-0123/);
    await seeFact(page, 'SMS delivery', 'Disabled');
    expect(await button(page, /SMS delivery/).count()).toBe(0);
    for (const tab of ['Support', 'Referrals', 'Overview', 'Plan']) await openTab(tab);
    const start = off.getByRole('link', startLink);
    expect(await start.getAttribute('href')).toBe('sms:+18885550123?&body=START');
    expect(await start.getAttribute('data-look')).toBe('call');
    const upgrade = page.getByRole('link', { name: 'Upgrade to Full Plan' });
    expect(await upgrade.getAttribute('data-look')).toBe('quiet');
    await billing(page)
      .getByText(/Your plan is canceled\. It ends on/)
      .waitFor();
    await seeFact(page, 'Plan ends', /./);
    await expect.poll(() => page.getByText(/texts until/i).count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await press(page, 'Keep My Plan');
    const confirmation = dialog(page, 'Keep your plan?');
    await confirmation.getByText(/Your plan will renew on .* for \$4\.99 a month\./).waitFor();
    await confirmation
      .getByText(/Your texts will stay off until you text START to \+1 888-555-0123\./)
      .waitFor();
    await expectNoBarriers(page);
    await confirmation.getByRole('button', { name: 'Keep My Plan' }).click();
    await see(page, 'Your plan continues.');
    await press(page, 'Switch to Yearly');
    const switchDialog = dialog(page, 'Switch to the Yearly plan?');
    await switchDialog.getByText(/Your texts will stay off until you text START/).waitFor();
    await press(page, 'Not Now');
    await upgrade.click();
    await see(page, /Your texts will stay off until you text START/);
    await product.reply(person.phone, 'START');
    await product.settle();
    await page.goto(`${product.urls.gateway}/dashboard?tab=settings`);
    await seeFact(page, 'SMS delivery', 'Enabled');
    await off.waitFor({ state: 'detached' });
  });
});

describe('Card and invoices', () => {
  test("are on the provider's page, which returns only to our own origin", async () => {
    const page = await open({ expectComplaints: failedCall });
    const restore = await failCalls(page, 'POST', '/users/me/plan/portal');
    await press(page, 'Card and Invoices');
    await see(page, "We couldn't open the billing page. Please try again.");
    restore();
    let url: string | undefined = 'javascript:document.title="taken"';
    await mockCalls(page, '/users/me/plan/portal', () => (url ? { json: { url } } : undefined));
    await press(page, 'Card and Invoices');
    await see(page, "We couldn't open the billing page. Please try again.");
    expect(await page.title()).toBe('Dashboard · Daylift');
    url = undefined;
    await press(page, 'Card and Invoices');
    await page.waitForURL(portalPage);
    const back = page.getByRole('link', { name: 'Return to the shop' });
    await expect
      .poll(() => back.getAttribute('href'))
      .toBe(`${product.urls.gateway}/dashboard?tab=plan`);
    await page.getByLabel('Name or company').fill('Acme GmbH');
    await press(page, 'Save billing information');
    await see(page, 'Your billing information has been saved.');
    for (const origin_url of ['https://evil.example', `${product.urls.gateway}.evil.example`])
      expect(
        await product.api('POST', '/users/me/plan/portal', { origin_url }, reader().token),
      ).toMatchObject({ status: 400, body: { code: 'ORIGIN_REFUSED' } });
  });
});

describe('After a failed payment', () => {
  const owing = () =>
    aPlan({
      status: 'past_due',
      next_charge: { at: '2027-05-11T15:20:00.000Z', amount_cents: 499 },
      owed: {
        amount_cents: 499,
        since: '2027-05-08T15:20:00.000Z',
        texts_until: '2027-05-15T15:20:00.000Z',
        card_declined: true,
      },
      actions: ['pay', 'cancel', 'portal'],
    });

  test('says when texts will stop, asks for another card, then offers to pay', async () => {
    let view = owing();
    let refusal: string | null = 'Your card was declined.';
    const page = await open({
      viewport: narrow,
      expectComplaints: failedCall,
      prepare: async (blank) => {
        await answer(blank, '/users/me/plan', PlanView, () => view);
        await mockCalls(blank, '/users/me/plan/pay', () => {
          if (refusal !== null)
            return {
              status: 402,
              json: { detail: refusal, code: 'PAYMENT_DECLINED', request_id: '' },
            };
          view = aPlan();
          return { json: view };
        });
      },
    });
    const primaries = () =>
      billing(page).locator('.mantine-Button-root:not([data-variant="default"])').allTextContents();
    await billing(page)
      .getByText(
        /Your texts will stop on May 15, 2027 unless it's paid by then\. Your Visa .* try again on May 11/,
      )
      .waitFor();
    await seeFact(page, 'Status', 'Last payment failed');
    await expect.poll(() => button(page, /^Switch to/).count()).toBe(0);
    expect(await primaries()).toEqual(['Update Card']);
    await button(page, 'Pay $4.99 Now').waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    // Update Card leads there.
    await expect.poll(() => button(page, 'Card and Invoices').count()).toBe(0);
    const banner = page.getByRole('region', { name: 'Payment failed' });
    await page.getByRole('tab', { name: 'Settings' }).click();
    await banner.getByRole('button', { name: 'Update Card' }).waitFor();
    await page.getByRole('tab', { name: 'Plan' }).click();
    const card = { brand: 'mastercard', last4: '4444' };
    view = { ...view, card, owed: { ...view.owed!, card_declined: false } };
    await billing(page)
      .getByText(/We're now charging your new card, Mastercard ending in 4444/)
      .waitFor();
    await expect.poll(() => button(page, 'Update Card').count()).toBe(0);
    expect(await primaries()).toEqual(['Pay $4.99 Now']);
    await press(page, 'Pay $4.99 Now');
    const pays = dialog(page, 'Pay $4.99 now?');
    await pays.getByText("We'll charge your Mastercard ending in 4444.").waitFor();
    await pays.getByRole('button', { name: 'Pay $4.99' }).click();
    await pays.getByText('Your card was declined.').waitFor();
    await expect
      .poll(() =>
        pays.locator('.mantine-Button-root:not([data-variant="default"])').allTextContents(),
      )
      .toEqual(['Update Card']);
    await expectNoBarriers(page);
    refusal = null;
    await pays.getByRole('button', { name: 'Pay $4.99' }).click();
    await see(page, 'Thank you! Your payment of $4.99 went through.');
    await seeFact(page, 'Status', 'Active Subscription');
  });

  test("leads to the bank's confirmation and shows when it is done", async () => {
    let view = owing();
    view.owed = { ...view.owed!, card_declined: false, confirm_url: 'https://pay.test/i/in_1' };
    const invoice = {
      ...{ id: 'in_1', issued_at: view.owed.since, currency: 'usd', amount_cents: 499 },
      ...{ refunded_cents: 0, credit_cents: 0, status: 'open' as UserInvoice['status'] },
    };
    const page = await open({
      viewport: narrow,
      prepare: async (blank) => {
        await answer(blank, '/users/me/plan', PlanView, () => view);
        await answer(blank, '/users/me/invoices', UserInvoiceList, () => [{ ...invoice }]);
      },
    });
    const invoices = page.getByRole('list', { name: 'Invoices' });
    await invoices.getByText('Open').waitFor();
    await billing(page).getByText('Your bank needs you to confirm this payment.').waitFor();
    const confirm = billing(page).getByRole('link', { name: 'Confirm Payment' });
    expect(await confirm.getAttribute('href')).toBe('https://pay.test/i/in_1');
    for (const hidden of [/^Pay \$/, 'Update Card'])
      expect(await button(page, hidden).count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await page.getByRole('tab', { name: 'Overview' }).click();
    const banner = page.getByRole('region', { name: 'Payment failed' });
    await banner.getByText(/Your bank needs you to confirm this payment\.$/).waitFor();
    await banner.getByRole('link', { name: 'Confirm Payment' }).waitFor();
    await page.getByRole('tab', { name: 'Plan' }).click();
    invoice.status = 'paid';
    view = aPlan();
    await confirm.waitFor({ state: 'detached' });
    await seeFact(page, 'Status', 'Active Subscription');
    await invoices.getByText('Paid').waitFor();
  });
});

test('returning to an expired or canceled plan or an open checkout is one click', async () => {
  let status: PlanView['status'] = 'expired';
  let isMocked = true;
  const page = await open({
    as: await pages.subscriber({}, false),
    viewport: narrow,
    prepare: (blank) =>
      mockCalls(blank, '/users/me/plan', () => {
        const view = aPlan({ status, next_charge: null, card: null, actions: ['portal'] });
        return isMocked ? { json: view } : undefined;
      }),
  });
  await seeFact(page, 'Status', 'Expired');
  await seeFact(page, 'Next charge', 'None');
  await button(page, 'Subscribe Again').waitFor();
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);
  status = 'canceled';
  await returnAfterMinute(page);
  await seeFact(page, 'Status', 'Canceled');
  await press(page, 'Subscribe Again');
  await page.waitForURL(checkoutPage);
  isMocked = false;
  await page.goto(`${product.urls.gateway}/dashboard?tab=plan`);
  await see(page, 'Your plan starts when you finish your checkout.');
  await expectNoBarriers(page);
  await press(page, 'Finish Your Checkout');
  await page.waitForURL(checkoutPage);
  await see(page, '3 days free');
});

test('shows tax, and an announced price, which can be declined and accepted again with one click', async () => {
  const change = { to_cents: 599, at: '2027-06-08T15:20:00.000Z', declined: false };
  const choices: boolean[] = [];
  const next_charge = { at: '2027-05-08T15:20:00.000Z', amount_cents: 535, tax_cents: 36 };
  let view = aPlan({ price_change: change, next_charge });
  const page = await open({
    viewport: phone,
    prepare: async (blank) => {
      await answer(blank, '/users/me/plan', PlanView, () => view);
      await mockCalls(blank, '/users/me/plan/price', ({ body }) => {
        const { accept } = body() as { accept: boolean };
        choices.push(accept);
        view = aPlan({ price_change: { ...change, declined: !accept } });
        return { json: view };
      });
    },
  });
  const notice = billing(page).getByRole('status');
  await notice
    .getByText('Your price changes from $4.99 a month to $5.99 a month on Jun 8, 2027.')
    .waitFor();
  await seeFact(page, 'Price', '$4.99 a month plus tax');
  await seeFact(page, 'Next charge', '$5.35, including $0.36 tax, on May 8, 2027');
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);
  await press(page, 'Opt Out of the New Price');
  await expectNoBarriers(page);
  await dialog(page, 'Opt out of the new price?')
    .getByRole('button', { name: 'Keep $4.99, Then End' })
    .press('Enter');
  await notice.getByText(/You keep paying \$4.99 a month until Jun 8, 2027/).waitFor();
  await button(page, 'Keep My Plan').press('Enter');
  await notice.getByText(/Your price changes/).waitFor();
  expect(choices).toEqual([false, true]);
});
