import { afterEach, expect, it } from 'vitest';
import { anAdmin } from '../../deploy/system-tests/admins.ts';
import { expectFocusKept, tabTo, typeInto } from '../../deploy/system-tests/browser/by-keyboard.ts';
import { anEmail, aPhone, pageLink, see, useAdminPages } from './harness.ts';

const { product, open, owner, subscriber } = useAdminPages();

afterEach(() => product.api('POST', '/admin/freeze/lift', { missed: 'skip' }, owner()));

it("an operator can do a morning's work with the keyboard alone", async () => {
  const ada = await subscriber({ name: 'Ada Keys' }, false);
  const message = { subject: 'By keyboard', message: 'Can you read this?' };
  await product.api('POST', '/support/contact', message, ada.token);
  const { username, password } = await anAdmin(product, owner(), 'operator');
  const page = await open('/admin/login');
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name }).first();
  const goTo = async (name: string) => {
    await tabTo(page, pageLink(page, name), { back: true });
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
  };

  await field('Username').waitFor();
  await tabTo(page, button('Sign In'));
  await keyboard.press('Enter');
  await page.locator('input:focus').and(field('Username')).waitFor();
  await keyboard.type(username);
  await typeInto(page, page.getByLabel('Password', { exact: true }), password);
  await keyboard.press('Enter');
  await pageLink(page, 'Dashboard').waitFor();
  await expectFocusKept(page);

  await goTo('Subscribers');
  await tabTo(page, button('Add Subscriber'));
  await keyboard.press('Enter');
  const sheet = dialog.and(page.getByRole('dialog', { name: 'Add Subscriber' }));
  const entry = (name: string) => sheet.getByRole('textbox', { name });
  await page.locator('input:focus').and(entry('Name')).waitFor();
  await keyboard.type('Grace Keys');
  await typeInto(page, entry('Email'), anEmail());
  await typeInto(page, entry('Phone'), aPhone());
  await tabTo(page, sheet.getByRole('checkbox'));
  await keyboard.press('Space');
  await tabTo(page, sheet.getByRole('button', { name: 'Add Subscriber' }));
  await keyboard.press('Enter');
  await see(page, 'Grace Keys was added');
  await tabTo(page, button('Done'));
  await keyboard.press('Enter');
  await dialog.getByText('Grace Keys was added').waitFor({ state: 'detached' });
  await sheet.waitFor({ state: 'detached' });
  await page.locator('button:focus').and(button('Add Subscriber')).waitFor();

  await goTo('Messages');
  await field('Title').waitFor();
  await typeInto(page, field('Title'), 'By keyboard');
  await typeInto(page, field('Content'), 'One key after the other, {{first_name}}.');
  const preview = page.getByRole('figure', { name: 'Preview on a phone' });
  await preview.getByText('One key after the other, Daniel.').waitFor();
  await typeInto(page, page.getByLabel('Date').first(), '06182027');
  await tabTo(page, button('Schedule Message'));
  await keyboard.press('Enter');
  await see(page, '"By keyboard" is scheduled for Jun 18, 2027.');

  await tabTo(page, button('Freeze sending'), { back: true });
  await keyboard.press('Enter');
  await page.locator('[role=dialog] :focus').waitFor();
  await tabTo(page, dialog.getByRole('button', { name: 'Freeze sending' }));
  await keyboard.press('Enter');
  const banner = page.getByRole('region', { name: 'Sending is frozen' });
  await dialog.waitFor({ state: 'detached' });
  await page.locator('main:focus').waitFor();
  await tabTo(page, banner.getByRole('button', { name: 'Resume sending…' }), { back: true });
  await keyboard.press('Enter');
  await dialog.getByRole('radio', { name: 'Send them now' }).waitFor();
  await tabTo(page, dialog.getByRole('radio', { name: 'Send them now' }));
  await keyboard.press('ArrowDown');
  expect(await dialog.getByRole('radio', { name: 'Skip them' }).isChecked()).toBe(true);
  await tabTo(page, dialog.getByRole('button', { name: 'Resume sending' }));
  await keyboard.press('Enter');
  await see(page, 'Sending resumed. Texts from the freeze were skipped.');
  await banner.waitFor({ state: 'detached' });

  await goTo('Inbox');
  const conversation = page.getByRole('link', { name: message.subject });
  await conversation.first().waitFor();
  await tabTo(page, conversation.first());
  await keyboard.press('Enter');
  await field('Your reply').waitFor();
  await typeInto(page, field('Your reply'), 'Yes, every word.');
  await tabTo(page, button('Send Email'));
  await keyboard.press('Enter');
  await see(page, 'Email sent.');
});
