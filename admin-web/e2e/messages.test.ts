import { describe, expect, it } from 'vitest';
import {
  aPhone,
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  type Locator,
  phone,
  press,
  refuseCalls,
  see,
} from './harness.ts';
import {
  dialog,
  fill,
  inDialog,
  inWords,
  messages,
  row,
  search,
  useMessages,
} from './messages-page.ts';

const { admin, openAdmin, product, owner, aDate, schedule } = useMessages(20);
const isInView = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });

describe('the form for a new message', () => {
  it('requires its fields, previews the text with its cost, and schedules it once', async () => {
    const page = await openAdmin(messages);
    await press(page, 'Schedule Message');
    await expect.poll(() => page.getByText('Please fill in all required fields').count()).toBe(3);
    await fill(page, '  ', ' \n ', aDate());
    await press(page, 'Schedule Message');
    await expect.poll(() => page.getByText('Please fill in all required fields').count()).toBe(2);
    expect(await page.getByLabel('Send time').count(), 'for a daily message').toBe(0);

    const title = `Created ${Date.now()}`;
    const words = 'Good day, {{first_name}}. A small step is a step, and two are a walk.';
    await page.getByLabel('Content').first().fill(words);
    const preview = page.getByRole('figure', { name: 'Preview on a phone' });
    await preview.getByText('Good day, Daniel. A small step').waitFor();
    await see(page, /^61 characters$/);
    await see(page, 'GSM-7');
    await see(page, /^1 part$/);
    await see(page, /(About \$\d+\.\d\d|Less than \$0\.01) for today's audience of/);
    await page
      .getByLabel('Content')
      .first()
      .fill(`${words} \u{1f305} ${'more '.repeat(20)}`);
    await see(page, 'UCS-2');
    await see(page, /^3 parts$/);
    await see(page, /one part holds only 70 characters/);
    const curly = `“${'Take one small step today. '.repeat(5)}”`;
    await page.getByLabel('Content').first().fill(curly);
    await press(page, 'Use Plain Characters: 1 Part Instead of 3');
    await see(page, /^1 part$/);
    const typed = await page.getByLabel('Content').first().inputValue();
    expect(typed).toBe(curly.replace(/[“”]/g, '"'));

    const date = aDate();
    await fill(page, title, words, date);
    const held = await holdCalls(page, 'POST', '/admin/scheduled-messages');
    await page.getByRole('button', { name: 'Schedule Message' }).dblclick();
    await expect.poll(() => held.count).toBe(1);
    held.release();
    await see(page, `"${title}" is scheduled for ${inWords(date)}.`);
    expect(held.count).toBe(1);
    await expect.poll(() => page.getByLabel(/^Title/).inputValue()).toBe('');

    await search(page, title);
    const cells = await row(page, title).getByRole('cell').allTextContents();
    expect(cells.slice(0, 6)).toEqual([
      title,
      `${words.slice(0, 50)}...`,
      inWords(date),
      "Subscriber's hour",
      'Scheduled',
      'None yet',
    ]);
  });

  it("shows the server's reason for a rejected message, or a general error", async () => {
    const taken = await schedule(`Taken ${Date.now()}`);
    const page = await openAdmin(messages, { expectComplaints: failedCall, ownContext: true });
    await fill(page, 'Another', 'Words.', taken.scheduled_date);
    await press(page, 'Schedule Message');
    await see(page, /already has a daily message/);
    await expect
      .poll(() => page.getByLabel('Date').first().getAttribute('aria-invalid'))
      .toBe('true');
    const restore = await failCalls(page, 'POST', '/admin/scheduled-messages');
    await press(page, 'Schedule Message');
    await page.getByRole('alert').getByText('Error creating scheduled message').waitFor();
    restore();
    await page.getByLabel('Type').selectOption('announcement');
    await expect.poll(() => page.getByLabel('Send time').inputValue()).toBe('08:00');
    expect(await page.getByLabel('Send time').locator('option').count()).toBe(13);
    await press(page, 'Schedule Message');
    await see(page, '"Another" is scheduled for');

    const date = aDate();
    await fill(page, 'Passed', 'Words.', date);
    await page.getByLabel('Type').selectOption('announcement');
    await page.clock.setFixedTime(new Date(`${date}T20:00:00`));
    await press(page, 'Schedule Message');
    await dialog(page)
      .getByText(`8:00 AM on ${inWords(date)} has passed`)
      .waitFor();
    await inDialog(page, 'Schedule Anyway');
    await see(page, '"Passed" is scheduled for');
  });
});

describe('a scheduled message', () => {
  it('is edited with its current values, unless someone else has changed it, and deleted after a confirmation', async () => {
    const message = await schedule(`Edited ${Date.now()}`);
    const page = await openAdmin(messages, { expectComplaints: failedCall });
    await search(page, message.title);
    await press(page, `Edit: ${message.title}`);
    await see(page, 'Edit message');
    const content = dialog(page).getByLabel('Content');
    await expect.poll(() => content.inputValue()).toBe(message.content);
    const path = `/admin/scheduled-messages/${message.id}`;
    const restore = await failCalls(page, 'PUT', path);
    await content.fill('Other words.');
    await inDialog(page, 'Save Changes');
    await dialog(page).getByText('Error updating scheduled message').waitFor();
    restore();
    await inDialog(page, 'Save Changes');
    await see(page, `"${message.title}" was updated.`);
    await row(page, message.title).getByText('Other words.').waitFor();

    await press(page, `Edit: ${message.title}`);
    const other = { ...message, version: 2, content: 'By somebody else.' };
    const { title, scheduled_date, version } = other;
    const body = { title, scheduled_date, version, content: other.content };
    expect((await product.api('PUT', path, body, owner())).status).toBe(200);
    await dialog(page).getByLabel('Content').fill('By me.');
    await inDialog(page, 'Save Changes');
    await dialog(page).getByText('Someone else changed this in the meantime.').waitFor();
    await inDialog(page, 'Cancel');
    await row(page, message.title).getByText('By somebody else.').waitFor();

    await press(page, `Delete: ${message.title}`);
    await dialog(page).getByText('Subscribers will get a library text').waitFor();
    await inDialog(page, 'Cancel');
    await dialog(page).waitFor({ state: 'detached' });
    const allowDelete = await failCalls(page, 'DELETE', path);
    await press(page, `Delete: ${message.title}`);
    await inDialog(page, 'Delete');
    await dialog(page).getByText('Error deleting scheduled message').waitFor();
    allowDelete();
    const allow = await refuseCalls(page, 'DELETE', path, 'It is being sent.');
    await inDialog(page, 'Delete');
    await dialog(page).getByText('It is being sent.').waitFor();
    allow();
    await inDialog(page, 'Delete');
    await see(page, `"${message.title}" was deleted.`);
    await see(page, 'No matches');
  });

  it('that was the only one on the last page leaves the page before it', async () => {
    const title = `Paged ${Date.now()}`;
    const scheduled_date = Temporal.PlainDate.from(aDate()).add({ years: 1 }).toString();
    for (let n = 10; n < 36; n += 1) {
      const words = { title: `${title} ${n}`, content: 'One of many.' };
      const body = { ...words, category: 'announcement', scheduled_date };
      await product.api('POST', '/admin/scheduled-messages', body, owner());
    }
    const page = await openAdmin(messages);
    await page.getByLabel('Search titles').fill(title);
    await see(page, '1 to 25 of 26');
    await press(page, 'next page');
    await see(page, '26 to 26 of 26');
    await press(page, `Delete: ${title} 35`);
    await inDialog(page, 'Delete');
    await see(page, '1 to 25 of 25');
    await row(page, `${title} 10`).waitFor();
  });

  it("can be duplicated without its date and sent to the admin's phone as a test", async () => {
    const message = await schedule(`Copied ${Date.now()}`);
    const page = await openAdmin(messages);
    await search(page, message.title);
    await press(page, `More actions: ${message.title}`);
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect.poll(() => page.getByLabel(/^Title/).inputValue()).toBe(message.title);
    await expect.poll(() => page.getByLabel('Date').first().inputValue()).toBe('');
    await page.locator(':focus').and(page.getByLabel('Date')).waitFor();
    await page.getByLabel('Date').first().fill(aDate());
    await press(page, 'Schedule Message');
    await see(page, `"${message.title}" is scheduled for`);
    const number = aPhone();
    await page
      .getByRole('button', { name: `More actions: ${message.title}` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Send test to my phone' }).click();
    await dialog(page).getByLabel('Your phone number').fill(number);
    await inDialog(page, 'Send Test');
    await see(page, `The test of "${message.title}" is on its way.`);
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: /^More actions/ }))
      .waitFor();
    await product.settle();
    expect((await product.texts(number)).map(({ text }) => text)).toEqual([
      `[Test] ${message.content}`,
    ]);
    // Remembered, but not by the browser.
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Send test to my phone' }).click();
    await expect.poll(() => dialog(page).getByLabel('Your phone number').inputValue()).toBe(number);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored + page.url()).not.toContain(number.slice(1));
  });

  it('is filtered by status and kind', async () => {
    const title = `Kinds ${Date.now()}`;
    await schedule(`${title} daily`);
    await schedule(`${title} news`, { category: 'announcement', scheduled_time: '12:00' });
    const page = await openAdmin(messages);
    await page.getByLabel('Search titles').fill(title);
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    expect(await page.getByRole('row').nth(1).textContent(), 'the next one').toContain('daily');
    await page.getByLabel('Show').selectOption('announcement');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await row(page, `${title} news`).getByText('12:00 PM').waitFor();
    await page.getByLabel('Status').selectOption('sent');
    await see(page, 'No matches');
  });
});

describe('the calendar', () => {
  it('links from a message to its text, and from an empty day to the form with its date; on a phone, days from the library are one row', async () => {
    const message = await schedule(`In calendar ${Date.now()}`);
    const empty = aDate();
    const page = await openAdmin(messages);
    await page.getByRole('link', { name: 'Calendar' }).click();
    await see(page, 'Next 60 Days');
    await expect.poll(() => page.getByRole('listitem').count()).toBe(60);
    await page.getByRole('button', { name: `Edit: ${message.title}` }).click();
    await dialog(page).getByLabel('Title').fill(`${message.title} anew`);
    await inDialog(page, 'Save Changes');
    await page.getByRole('button', { name: `Edit: ${message.title} anew` }).waitFor();
    await expectNoBarriers(page);

    await page.setViewportSize(phone);
    const run = page.getByRole('button', { name: /^[A-Z][a-z]{2} \d+ – .*: from the library$/ });
    const days = page.getByRole('link', { name: /^From the library\. Schedule a message for/ });
    await run.first().waitFor();
    const joined = await days.count();
    await run.first().click();
    await expect.poll(() => run.first().getAttribute('aria-expanded')).toBe('true');
    await expect.poll(() => days.count()).toBeGreaterThan(joined + 2);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await run.first().click();
    await expect.poll(() => days.count()).toBe(joined);
    await page.setViewportSize(desktop);

    await page
      .getByRole('link', { name: `From the library. Schedule a message for ${inWords(empty)}` })
      .click();
    await expect.poll(() => page.getByLabel('Date').first().inputValue()).toBe(empty);
    await fill(page, `From the calendar ${Date.now()}`, 'Words.', empty);
    await press(page, 'Schedule Message');
    await see(page, `is scheduled for ${inWords(empty)}`);
  });
});

describe('the import', () => {
  it('checks a file line by line, skips invalid lines, and finds the rest present the second time', async () => {
    const [one, two] = [aDate(), aDate()];
    const title = `Imported ${Date.now()}`;
    const [year, month, day] = one.split('-').map(Number);
    const csv = `date;title;content\r\n${month}/${day}/${year};${title} 1;"Words; more"\r\n${two};;Nothing\r\n${two};${title} 2;=1+1\r\n`;
    const page = await openAdmin(messages, { expectComplaints: failedCall });
    await press(page, 'Import CSV');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      inDialog(page, 'Choose file'),
    ]);
    await chooser.setFiles({ name: 'm.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await expect.poll(() => dialog(page).getByRole('textbox').inputValue()).toContain(title);
    const restore = await failCalls(page, 'POST', '/admin/scheduled-messages/import');
    await inDialog(page, 'Check');
    await dialog(page).getByText('Error importing messages').waitFor();
    restore();
    await inDialog(page, 'Check');
    await dialog(page).getByText('2 ready, 0 duplicates, 1 invalid.').waitFor();
    const wrong = await row(page, 'Invalid').getByRole('cell').allTextContents();
    expect(wrong).toEqual([
      '3',
      two,
      'None',
      'Invalid',
      'Please fill in all required fields. Missing: title.',
    ]);
    const store = dialog(page).getByRole('button', { name: 'Import 2 messages' });
    await expect.poll(() => store.isDisabled()).toBe(true);
    const skip = dialog(page).getByLabel('Skip the invalid line');
    await page.setViewportSize(phone);
    await expect.poll(() => isInView(skip)).toBe(true);
    await page.setViewportSize(desktop);
    await skip.check();
    await store.click();
    await dialog(page).getByText('2 imported, 0 duplicates, 1 invalid.').waitFor();
    await inDialog(page, 'Done');

    await press(page, 'Import CSV');
    await dialog(page).getByRole('textbox').fill(csv);
    await inDialog(page, 'Check');
    await dialog(page).getByText('0 ready, 2 duplicates, 1 invalid.').waitFor();
    await dialog(page).getByRole('textbox').fill('a,b\n1,2');
    await inDialog(page, 'Check');
    await dialog(page).getByText('The first line must have the column names').waitFor();
    await inDialog(page, 'Cancel');
    await page.getByLabel('Search titles').fill(title);
    await row(page, `${title} 2`).getByText('=1+1').waitFor();
  });
});

it("a viewer sees everything and can't change it", async () => {
  const message = await schedule(`Seen ${Date.now()}`);
  const page = await openAdmin(messages, { token: await admin('viewer') });
  await see(page, 'You have view-only access. Operators can make changes.');
  await search(page, message.title);
  for (const name of ['Schedule Message', 'Send Now', 'Edit', 'Delete', 'Import', "Send Today's"])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0);
  await page.getByRole('link', { name: 'Calendar' }).click();
  await see(page, message.title);
  await expect.poll(() => page.getByRole('listitem').getByRole('button').count()).toBe(0);
  await expect.poll(() => page.getByRole('listitem').getByRole('link').count()).toBe(0);
});

it('is accessible on a phone and on a desktop, with its dialogs', async () => {
  const message = await schedule(`Barriers ${Date.now()}`);
  const page = await openAdmin(messages);
  await search(page, message.title);
  const isAccessible = async (within?: string) => {
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport);
      await expectNoBarriers(page, within);
    }
    await page.setViewportSize(desktop);
  };
  await isAccessible();
  await press(page, `Edit: ${message.title}`);
  await see(page, 'Edit message');
  await isAccessible('[role=dialog]');
  await inDialog(page, 'Cancel');
  await press(page, 'Import CSV');
  await dialog(page).getByRole('textbox').fill('date,title,content\n2027-13-01,a,b');
  await inDialog(page, 'Check');
  await dialog(page).getByText('0 ready').waitFor();
  await isAccessible('[role=dialog]');
});
