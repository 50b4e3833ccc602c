import { eventually } from '@daylift/testing/eventually';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectFocusKept } from '../../deploy/system-tests/browser/by-keyboard.ts';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  mockCalls,
  type Page,
  phone,
  press,
  type Subscriber,
  see,
  useAdminPages,
} from './harness.ts';

const { product, openAdmin, subscriber, owner, admin } = useAdminPages();
const address = '/admin/inbox';

let ada: Subscriber;
beforeAll(async () => {
  ada = await subscriber({ name: 'Ada Inbox' }, false);
});

const write = (sender: Subscriber, subject: string, message: string) =>
  product.api('POST', '/support/contact', { subject, message }, sender.token);
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 2, name, exact: true });
async function choose(page: Page, words: string): Promise<void> {
  await page.getByRole('list', { name: 'Conversations' }).getByText(words).first().click();
}
const textsTo = async (number: string) => (await product.texts(number)).map((one) => one.text);
const mailsTo = async (email: string) =>
  (
    await product.sandbox<{ subject: string; text: string }[]>(
      'GET',
      `/sandbox/emails?to=${encodeURIComponent(email)}`,
    )
  ).body;

describe('A support message', () => {
  it('is read, answered by email, closed and reopened', async () => {
    await write(ada, 'No text since Monday', 'Nothing came.\nWhy?');
    const page = await openAdmin(address);
    await see(page, 'No conversation selected');
    await choose(page, 'No text since Monday');
    await heading(page, 'No text since Monday').waitFor();
    await see(page, `Ada Inbox · ${ada.email} · ${ada.phone}`);
    await press(page, 'Send Email');
    await see(page, 'Enter a reply');
    await page.getByLabel('Your reply').fill('Sorry, {{first_name}}! It is mended.');
    await see(page, '25 of 4,000 characters');
    await press(page, 'Send Email');
    await see(page, 'Email sent.');
    await see(page, 'Sorry, Ada! It is mended.');
    await expect.poll(() => page.getByLabel('Your reply').inputValue()).toBe('');
    const mail = await eventually(async () =>
      (await mailsTo(ada.email)).find((one) => one.subject === 'Re: No text since Monday'),
    );
    expect(mail?.text).toContain('Sorry, Ada! It is mended.');
    expect(mail?.text).toContain('> Why?');
    await press(page, 'Close Conversation');
    await see(page, /Closed by .+ It reopens when they write again\./);
    await expect.poll(() => page.getByLabel('Your reply').count()).toBe(0);
    await page.getByText('Closed', { exact: true }).first().click();
    await choose(page, 'No text since Monday');
    await press(page, 'Reopen');
    await page.getByLabel('Your reply').waitFor();
    const link = page.getByRole('link', { name: 'View subscriber' });
    await expect.poll(() => link.getAttribute('href')).toBe(`/admin/subscribers/${ada.id}`);
  });

  it('can be assigned, and is no longer unanswered after a saved reply', async () => {
    const lou = await subscriber({ name: 'Lou Inbox' }, false);
    await write(lou, 'A question of billing', 'When am I charged?');
    const page = await openAdmin(`${address}?show=unanswered`);
    await choose(page, 'A question of billing');
    await heading(page, 'A question of billing').waitFor();
    const assignee = page.getByLabel('Assigned to');
    await expect.poll(() => assignee.locator('option').count()).toBeGreaterThan(1);
    const [, first] = await assignee.locator('option').allTextContents();
    await assignee.selectOption({ label: first ?? '' });
    const list = page.getByRole('list', { name: 'Conversations' });
    await list.getByText(/^For /).first().waitFor();
    const title = `Billing ${Date.now()}`;
    await page.getByLabel('Your reply').fill('{{first_name}}, on the day your trial ends.');
    await press(page, 'Saved replies');
    await page.getByRole('menuitem', { name: 'Save this reply' }).click();
    await page.locator(':focus').and(page.getByRole('dialog').getByLabel('Title')).waitFor();
    await page.keyboard.type(title);
    await press(page, 'Save Reply');
    await see(page, 'Reply saved.');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Saving doesn't send the draft behind the dialog.
    expect(await page.getByLabel('Your reply').inputValue()).not.toBe('');
    expect(await page.getByText('Email sent.').count()).toBe(0);
    await page.getByLabel('Your reply').fill('');
    await press(page, 'Saved replies');
    await page.getByRole('menuitem', { name: title }).click();
    await expect
      .poll(() => page.getByLabel('Your reply').inputValue())
      .toBe('Lou, on the day your trial ends.');
    await page.locator('textarea:focus').and(page.getByLabel('Your reply')).waitFor();
    await press(page, 'Send Email');
    await see(page, 'Email sent.');
    await list.getByText('A question of billing').waitFor({ state: 'detached' });
    await press(page, 'Saved replies');
    await page.getByRole('menuitem', { name: 'Edit saved replies' }).click();
    await press(page, `Delete: ${title}`);
    await see(page, `"${title}" was deleted.`);
  });

  it("of a visitor with a subscriber's proven email links to that subscriber", async () => {
    const zoe = await subscriber({ name: 'Zoe Inbox' }, false);
    const known = { id: zoe.id, name: 'Zoe Inbox' };
    await product.api('POST', '/contact', {
      name: 'Zoe',
      email: zoe.email,
      subject: 'Written from outside',
      message: 'Hello',
    });
    const page = await openAdmin(address, {
      prepare: (before) =>
        mockCalls(before, '/admin/inbox/*-*', async (call) => ({
          json: { ...(await call.real()), subscriber: known },
        })),
    });
    await choose(page, 'Written from outside');
    await page.getByRole('link', { name: 'Subscriber with this email: Zoe Inbox' }).click();
    await expect.poll(() => page.url()).toContain(zoe.id);
  });

  it('is found by its words and kind, after a failed list too, and the URL keeps the selection', async () => {
    await write(ada, 'About marmalade', 'Do you like marmalade sandwiches?');
    let restore = () => {};
    const page = await openAdmin(address, {
      expectComplaints: failedCall,
      prepare: async (one) => {
        restore = await failCalls(one, 'GET', '/admin/inbox');
      },
    });
    await see(page, "We couldn't load this. Please try again.");
    restore();
    await press(page, 'Try again');
    await page.getByLabel('Search').fill('marmal');
    const items = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(1);
    await choose(page, 'About marmalade');
    await page.reload();
    await heading(page, 'About marmalade').waitFor();
    await page.getByLabel('Search').fill('marmal');
    await page.getByLabel('Type').selectOption('reply');
    await see(page, 'No matches');
  });
});

describe('A reply by text', () => {
  it('appears in the inbox and is answered by text, once, after a confirmation', async () => {
    const bea = await subscriber({ name: 'Bea Reply' });
    await product.settle();
    const page = await openAdmin(address);
    await see(page, 'No conversation selected');
    await product.reply(bea.phone, 'Can it come in the afternoon? Sometimes I can’t go on.');
    await product.settle();
    await page.reload();
    await choose(page, 'Can it come in the afternoon?');
    await heading(page, 'Reply by text').waitFor();
    await see(page, 'Possible distress');
    await see(page, 'This person may be in danger. Read this message now.');
    await expect.poll(() => page.getByLabel('Text', { exact: true }).isChecked()).toBe(true);
    await page.getByLabel('Your reply').fill('Yes: reply 3PM.');
    await see(page, '15 of 640 characters, 1 part (GSM-7)');
    await press(page, 'Send Text');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`This sends one text of 1 part (GSM-7) to ${bea.phone} now.`).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await textsTo(bea.phone)).not.toContain('Yes: reply 3PM.');
    await press(page, 'Send Text');
    await dialog.getByRole('button', { name: 'Send Text' }).dblclick();
    await see(page, 'Text queued.');
    await product.settle();
    expect((await textsTo(bea.phone)).filter((one) => one === 'Yes: reply 3PM.')).toHaveLength(1);
    await page.reload();
    await see(page, 'Delivered');
  });

  it('interpreted as STOP or from an unknown number says so, and can only be answered by email or not at all', async () => {
    const cora = await subscriber({ name: 'Cora Stop' });
    await product.settle();
    await product.reply(cora.phone, 'please stop texting me');
    await product.reply('+14155550123', 'Who is this, please?');
    await product.settle();
    const page = await openAdmin(address);
    await see(page, 'Possible STOP: review');
    await choose(page, 'please stop texting me');
    await see(page, 'We treated this as a STOP');
    await page.getByLabel('Text', { exact: true }).click();
    await see(page, 'They replied STOP. Only a START from their phone reverses it.');
    await expect
      .poll(() => page.getByRole('button', { name: 'Send Text' }).isDisabled())
      .toBe(true);
    await choose(page, 'Who is this, please?');
    await see(page, 'No subscriber has this number.');
    await see(page, 'Only subscribers can be texted.');
    await expect.poll(() => page.getByLabel('Your reply').isDisabled()).toBe(true);
    await press(page, 'Close Conversation');
    await see(page, /Closed by/);
  });

  it('of someone who may be in danger is first, after they got the crisis line', async () => {
    const dee = await subscriber({ name: 'Dee Danger' });
    await product.settle();
    await product.reply(dee.phone, 'I don’t want to live anymore');
    await product.settle();
    expect(await textsTo(dee.phone)).toContainEqual(
      expect.stringContaining('call or text 988, free, 24/7. In danger? Call 911.'),
    );
    await write(
      await subscriber({ name: 'Eve Later' }, false),
      'A later question',
      'When does it come?',
    );
    const page = await openAdmin(address);
    const first = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first();
    await first.getByText('Dee Danger').waitFor();
    await first.getByText('Possible distress').waitFor();
    await first.getByRole('link').click();
    await see(page, 'This conversation stays at the top until you close it.');
    await press(page, 'Close Conversation');
    await see(page, /Closed by .+ It reopens when they write again\./);
    await first.getByText('Dee Danger').waitFor({ state: 'detached' });
  });
});

describe('Failures', () => {
  it('a reply that could not be sent stays in its field, with the reason', async () => {
    await write(ada, 'A broken answer', 'Hello');
    const page = await openAdmin(address, { expectComplaints: failedCall });
    await choose(page, 'A broken answer');
    await heading(page, 'A broken answer').waitFor();
    const id = new URL(page.url()).searchParams.get('conversation') ?? '';
    const restore = await failCalls(page, 'POST', `/admin/inbox/${id}/answer`);
    await page.getByLabel('Your reply').fill('This takes a while');
    await press(page, 'Send Email');
    await see(page, 'Error sending the reply. Please try again.');
    await expect.poll(() => page.getByLabel('Your reply').inputValue()).toBe('This takes a while');
    restore();
    const held = await holdCalls(page, 'GET', '/admin/inbox');
    await failCalls(page, 'POST', `/admin/inbox/${id}/close`);
    await press(page, 'Close Conversation');
    await see(page, 'Error updating the conversation. Please try again.');
    // The reason doesn't wait for the list.
    await expect.poll(() => held.count).toBeGreaterThan(0);
    held.release();
    await product.api('POST', `/admin/inbox/${id}/close`, undefined, owner());
    await press(page, 'Send Email');
    await see(page, 'This conversation is closed. Reopen it first.');
    await see(page, /Closed by .+ It reopens when they write again\./);
    expect(await page.getByLabel('Your reply').inputValue()).toBe('This takes a while');
    await press(page, 'Reopen');
    await see(page, 'Conversation reopened.');
    await press(page, 'Send Email');
    await see(page, 'Email sent.');
  });

  it('a double click sends one reply, and one whose first version was sent, though the response was lost, can be sent as another', async () => {
    await write(await subscriber({ name: 'Max Inbox' }, false), 'A lost response', 'Hello');
    const page = await openAdmin(address, { expectComplaints: failedCall });
    await choose(page, 'A lost response');
    await heading(page, 'A lost response').waitFor();
    const held = await holdCalls(page, 'POST', '/admin/inbox/*/answer');
    await page.getByLabel('Your reply').fill('Only once');
    // The second click comes before the page has re-rendered.
    await page.getByRole('button', { name: 'Send Email' }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expect.poll(() => held.count).toBe(1);
    held.release();
    await see(page, 'Email sent.');
    await expect.poll(() => page.getByLabel('Your reply').inputValue()).toBe('');
    expect(held.count).toBe(1);

    let isLost = true;
    await mockCalls(page, '/admin/inbox/*/answer', async (call) => {
      if (!isLost) return undefined;
      isLost = false;
      await call.real();
      return { status: 503, json: { detail: 'Unavailable', code: 'UNAVAILABLE', request_id: '' } };
    });
    await page.getByLabel('Your reply').fill('First version');
    await press(page, 'Send Email');
    await see(page, 'Error sending the reply. Please try again.');
    await page.getByLabel('Your reply').fill('Second version');
    await press(page, 'Send Email');
    await see(page, 'An earlier version of this reply was already sent.');
    await see(page, 'First version');
    await press(page, 'Send Email');
    await see(page, 'Email sent.');
    await see(page, 'Second version');
  });
});

it("a viewer sees no addresses or numbers, and can't change anything", async () => {
  await write(ada, 'For a viewer', 'Hello');
  const page = await openAdmin(address, { token: await admin('viewer') });
  await choose(page, 'For a viewer');
  await see(page, 'You have view-only access. Operators can reply.');
  await see(page, /Ada Inbox · .•••@example\.com · \+1•+\d\d/);
  await expect.poll(() => page.getByText(ada.email).count()).toBe(0);
  for (const name of ['Close Conversation', 'Send Email', 'Send Text'])
    await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0);
});

it('is accessible and fits every screen, on a phone one pane at a time', async () => {
  // A subscriber can send at most five messages an hour.
  const lena = await subscriber(
    { name: 'Lena Margarethe von der Hohenstein-Featherstonehaugh' },
    false,
  );
  await write(lena, 'A long one', `${'word '.repeat(80)}${'x'.repeat(300)}`);
  const page = await openAdmin(address);
  await choose(page, 'A long one');
  await heading(page, 'A long one').waitFor();
  const panes = await page
    .locator('main *')
    .evaluateAll((all) => all.filter((one) => getComputedStyle(one).overflowY === 'auto').length);
  expect(panes, 'panes that scroll by themselves').toBeGreaterThanOrEqual(2);
  await expectNoBarriers(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(phone);
  await expectNoBarriers(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  const list = page.getByRole('list', { name: 'Conversations' });
  await expect.poll(() => list.isVisible()).toBe(false);
  await press(page, 'Back to list');
  await list.waitFor();
  await expectFocusKept(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: /A long one/ }).click();
  await heading(page, 'A long one').waitFor();
  await expectFocusKept(page);
});
