import { randomUUID } from 'node:crypto';
import { type InboxPage, type SupportThread, SupportThreads } from '@daylift/contracts/inbox.http';
import { describe, expect, inject, test } from 'vitest';
import {
  anEmail,
  answer,
  aPhone,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  mockCalls,
  narrow,
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

const open = (tab: 'support' | 'referrals', person: Subscriber, options = {}) =>
  pages.open(`/dashboard?tab=${tab}`, { as: person, ...options });

interface Catalogue {
  support_email: string;
}
const supportEmail = async () => (await product.api<Catalogue>('GET', '/plans')).body.support_email;
interface Mail {
  subject: string;
  text: string;
}
const mailsTo = async (address: string) =>
  (await product.sandbox<Mail[]>('GET', `/sandbox/emails?to=${encodeURIComponent(address)}`)).body;

describe('Messages to support', () => {
  const conversations = (page: Page) => page.getByRole('region', { name: 'Your Conversations' });
  const thread = (page: Page, subject: string) =>
    conversations(page).locator('details').filter({ hasText: subject });

  test('require subject and text, survive a failure, reach support by mail, and are shown with the reply', async () => {
    const person = await pages.subscriber({}, false);
    const page = await open('support', person, {
      viewport: narrow,
      expectComplaints: failedCall,
    });
    await conversations(page)
      .getByText('Your messages to us and our replies will appear here.')
      .waitFor();
    const address = await supportEmail();
    const link = page.getByRole('link', { name: address });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`mailto:${address}`);
    await press(page, 'Contact Support');
    const [subject, message] = [page.getByLabel('Subject'), page.getByLabel('Message')];
    await expect.poll(() => page.locator(':focus').getAttribute('maxlength')).toBe('150');
    const missing = page.getByText('Please fill in all required fields');
    await press(page, 'Send Message');
    await expect.poll(() => missing.count()).toBe(2);
    await expectNoBarriers(page);
    await expectNoSidewaysScroll(page);
    const title = `A question about ${person.id}`;
    const text = 'Can I have two texts?\nI like them.';
    await subject.fill(title);
    await message.fill(' ');
    await press(page, 'Send Message');
    await expect.poll(() => missing.count()).toBe(1);
    await message.fill(text);
    const restore = await failCalls(page, 'POST', '/support/contact');
    const held = await holdCalls(page, 'POST', '/support/contact');
    await press(page, 'Send Message');
    await page.locator('button[data-loading]').waitFor();
    held.release();
    await see(page, 'Failed to send support message. Please try again.');
    expect(held.count).toBe(1);
    expect(await message.inputValue()).toBe(text);
    restore();
    await press(page, 'Send Message');
    await see(page, "Support message sent successfully! We'll get back to you within 24 hours.");
    await page.getByRole('button', { name: 'Contact Support' }).waitFor();
    await thread(page, title).getByText('Waiting for our reply').waitFor();
    await thread(page, title).getByText('Can I have two texts?').waitFor();
    await product.settle();
    const mail = (await mailsTo(address)).find((one) => one.subject.includes(title));
    expect(mail?.text).toContain('Can I have two texts?');

    const admin = await product.adminLogin(inject('admin'));
    const inbox = await product.api<InboxPage>('GET', '/admin/inbox?limit=100', undefined, admin);
    const { id } = inbox.body.items.find(({ user_id }) => user_id === person.id) ?? {};
    const reply = { by: 'email', text: 'One for now.', idempotency_key: randomUUID() };
    await product.api('POST', `/admin/inbox/${id}/answer`, reply, admin);
    await page.reload();
    await thread(page, title).getByText('Answered').waitFor();
    const messages = thread(page, title).getByRole('listitem');
    await messages.nth(0).getByText('One for now.').waitFor();
    await messages.nth(1).getByText('Can I have two texts?').waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
  });

  test('load five conversations at a time, and again after a failure', async () => {
    const all = Array.from({ length: 7 }, (_unused, index): SupportThread => {
      const id = randomUUID();
      const message = { id, sender: 'you' as const, by: 'form' as const, text: `Text ${index}` };
      const created_at = '2027-04-05T15:00:00.000Z';
      return {
        ...{ id, subject: `Subject ${index}`, status: 'closed', has_earlier: index === 0 },
        messages: [{ ...message, created_at }],
      };
    });
    const page = await open('support', reader(), {
      expectComplaints: failedCall,
      prepare: (blank: Page) =>
        answer(blank, '/users/me/support-messages', SupportThreads, (query) => {
          const after = all.findIndex(({ id }) => id === query.get('before')) + 1;
          const threads = all.slice(after, after + Number(query.get('limit')));
          return { threads, more: after + threads.length < all.length };
        }),
    });
    await expect.poll(() => conversations(page).locator('details').count()).toBe(5);
    await conversations(page).getByText("Earlier messages aren't shown.").waitFor();
    const restore = await failCalls(page, 'GET', '/users/me/support-messages');
    await press(page, 'Load more');
    await conversations(page).getByText("We couldn't load this right now.").waitFor();
    restore();
    await press(page, 'Try again');
    await expect.poll(() => conversations(page).locator('details').count()).toBe(7);
    await expect.poll(() => page.locator(':focus').textContent()).toContain('Subject 5');
    await expect.poll(() => page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });
});

test('The FAQ opens one at a time, by keyboard too, and shows an empty state, with a retry after a failure', async () => {
  const faqs = (await product.api<{ question: string; answer: string }[]>('GET', '/faqs')).body;
  const [first, second] = faqs;
  if (!first || !second) throw new Error('The product ships with questions.');
  let restore = () => {};
  const page = await open('support', reader(), {
    expectComplaints: failedCall,
    prepare: async (blank: Page) => {
      restore = await failCalls(blank, 'GET', '/faqs');
    },
  });
  await see(page, 'No FAQs available yet');
  await see(page, 'Contact support for any questions');
  await expectNoBarriers(page);
  restore();
  await press(page, 'Try again');
  await page.getByText(first.question, { exact: true }).click();
  await see(page, first.answer);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await see(page, second.answer);
  await expect.poll(() => page.getByText(first.answer).isVisible()).toBe(false);
  await expectNoBarriers(page);
  await mockCalls(page, '/faqs', () => ({ json: [] }));
  await returnAfterMinute(page);
  await see(page, 'No FAQs available yet');
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

describe('The referral link', () => {
  const field = (page: Page, name: string) => page.getByRole('textbox', { name });

  test('is generated on request after a failure, stays the same, and is copied or selected for copying', async () => {
    const page = await open('referrals', await pages.subscriber({}, false), {
      viewport: phone,
      permissions: ['clipboard-read', 'clipboard-write'],
      expectComplaints: failedCall,
    });
    await see(page, 'Get 1 Week Free!');
    await see(
      page,
      "For every friend that signs up using your referral link, you'll get $1.25 off your next monthly bill (25% discount).",
    );
    const restore = await failCalls(page, 'POST', '/users/me/generate-referral');
    await press(page, 'Generate My Referral Code');
    await see(page, 'Failed to generate referral code. Please try again.');
    await expectNoBarriers(page);
    restore();
    await press(page, 'Generate My Referral Code');
    const copy = page.getByRole('button', { name: 'Copy your referral code' });
    await copy.and(page.locator(':focus')).waitFor();
    const code = await field(page, 'Your referral code').inputValue();
    const link = await field(page, 'Your referral link').inputValue();
    expect(new URL(link).pathname).toBe('/signup');
    expect(new URL(link).searchParams.get('ref')).toBe(code);
    await expect
      .poll(() => field(page, 'Your referral code').getAttribute('readonly'))
      .not.toBeNull();
    const bySms =
      (await page.getByRole('link', { name: 'Share by SMS' }).getAttribute('href')) ?? '';
    expect(bySms).toMatch(/^sms:/);
    expect(decodeURIComponent(bySms)).toContain(link);
    const byMail =
      (await page.getByRole('link', { name: 'Share by Email' }).getAttribute('href')) ?? '';
    expect(new URL(byMail).searchParams.get('body')).toContain(link);
    await expectNoBarriers(page);
    await expectNoSidewaysScroll(page);
    await press(page, 'Copy your referral link');
    await see(page, 'Copied to the clipboard');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await press(page, 'Copy your referral code');
    await see(page, /The value is selected, so you can copy it yourself/);
    expect(await page.evaluate(() => window.getSelection()?.toString())).toBe(code);
    await page.reload();
    await expect.poll(() => field(page, 'Your referral code').inputValue()).toBe(code);
  });
});

describe('Referral figures', () => {
  const count = (page: Page, name: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByRole('term').filter({ hasText: name }) })
      .getByRole('definition');

  test('count a friend as pending, and as successful once they have paid', async () => {
    const person = await pages.subscriber();
    const { body } = await product.api<{ referral_code: string }>(
      'POST',
      '/users/me/generate-referral',
      undefined,
      person.token,
    );
    const friend = {
      name: 'Bea Noon',
      email: anEmail(),
      phone: aPhone(),
      password: 'good morning',
      timezone: 'America/New_York',
      delivery_time: '09:00',
      sms_consent: true,
    };
    const signup = await product.api<{ id: string }>('POST', '/subscriptions', {
      ...friend,
      ref: body.referral_code,
    });
    const page = await open('referrals', person);
    const session = await product.openCheckout(signup.body.id);
    // The friend needs their own card: paying with the referrer's earns nothing.
    await product.pay(session, '5555555555554444');
    await product.api('GET', `/payments/status/${session}`);
    await product.settle();
    await page.reload();
    await count(page, 'Pending').filter({ hasText: /^1$/ }).waitFor();
    await count(page, 'Successful referrals').filter({ hasText: /^0$/ }).waitFor();
    const token = await product.login(friend.email, friend.password);
    await product.api('POST', '/users/me/plan/upgrade', { plan: 'monthly' }, token);
    await product.settle();
    await page.reload();
    await count(page, 'Successful referrals').filter({ hasText: /^1$/ }).waitFor();
    await count(page, 'Pending').filter({ hasText: /^0$/ }).waitFor();
    await count(page, 'Earned').filter({ hasText: '$1.25' }).waitFor();
    await count(page, 'Credit left').filter({ hasText: '$1.25' }).waitFor();
    await count(page, 'Applied to')
      .filter({ hasText: /^Your bill on / })
      .waitFor();
  });

  test("fall back to the account's count on failure, with a retry", async () => {
    let restore = () => {};
    const page = await open('referrals', reader(), {
      expectComplaints: failedCall,
      prepare: async (blank: Page) => {
        restore = await failCalls(blank, 'GET', '/users/me/referrals');
      },
    });
    await count(page, 'Successful referrals').filter({ hasText: /^0$/ }).waitFor();
    await see(page, "We couldn't load this right now.");
    restore();
    await press(page, 'Try again');
    await count(page, 'Earned').filter({ hasText: '$0.00' }).waitFor();
  });
});
