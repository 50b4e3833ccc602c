import { LibraryRunway } from '@daylift/contracts/library-runway.http';
import { describe, expect, it } from 'vitest';
import {
  answer,
  desktop,
  expectNoBarriers,
  failCalls,
  failedCall,
  mockCalls,
  type Page,
  phone,
  press,
  see,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const { openAdmin, product } = pages;
const library = '/admin/messages/library';
const faqs = '/admin/settings/faqs';

interface Template {
  id: string;
  title: string;
  version: number;
}
const addTemplate = async (title: string): Promise<Template> => {
  const body = { title, content: `${title} says this.` };
  return (await product.api<Template>('POST', '/admin/templates', body, pages.owner())).body;
};
const dialog = (page: Page) => page.getByRole('dialog');
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name }).click();
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const search = async (page: Page, title: string) => {
  await page.getByLabel('Search the library').fill(title);
  const templates = page.getByRole('table', { name: 'Library', exact: true });
  await expect.poll(() => templates.getByRole('row').count()).toBe(2);
};

describe('the library', () => {
  it('accepts a new message with a preview, turns it off and on, and deletes it after a confirmation', async () => {
    const title = `New ${Date.now()}`;
    const page = await openAdmin(library, { expectComplaints: failedCall });
    await see(page, /1 to 25 of 1\d\d/);
    await press(page, 'Add Message');
    await inDialog(page, 'Add to Library');
    await expect
      .poll(() => dialog(page).getByText('Please fill in all required fields').count())
      .toBe(2);
    await dialog(page).getByLabel('Title').fill(title);
    await dialog(page).getByLabel('Content').fill('A step, {{first_name}}.');
    await dialog(page).getByText('15 characters').waitFor();
    await dialog(page).getByLabel('Tags').first().fill('calm');
    await page.keyboard.press('Enter');
    let restore = await failCalls(page, 'POST', '/admin/templates');
    await inDialog(page, 'Add to Library');
    await dialog(page).getByText('Error creating template').waitFor();
    restore();
    await inDialog(page, 'Add to Library');
    await see(page, `"${title}" was added to the library.`);
    await search(page, title);
    await row(page, title).getByText('motivational, calm').waitFor();

    const active = page.getByRole('switch', { name: `Active: ${title}` });
    restore = await failCalls(page, 'PUT', '/admin/templates/*');
    await active.click({ force: true });
    await see(page, 'Error updating template');
    restore();
    await active.click({ force: true });
    await expect.poll(() => active.isChecked()).toBe(false);
    await page.getByLabel('Show').selectOption('inactive');
    await active.waitFor();
    await active.click({ force: true });
    await see(page, 'No matches');
    await page.getByLabel('Show').selectOption('');

    restore = await failCalls(page, 'DELETE', '/admin/templates/*');
    await press(page, `Delete: ${title}`);
    await dialog(page).getByText('make it inactive instead').waitFor();
    await inDialog(page, 'Delete');
    await dialog(page).getByText('Error deleting template').waitFor();
    restore();
    await inDialog(page, 'Delete');
    await see(page, `"${title}" was deleted.`);
    await see(page, 'No matches');
  });

  it('edits a message, unless someone else has changed it; warns when few are active, and says how long they last once it is known', async () => {
    const { id, title } = await addTemplate(`Edit ${Date.now()}`);
    let runway: LibraryRunway = { computed_at: null, categories: [] };
    const page = await openAdmin(library, {
      expectComplaints: failedCall,
      prepare: async (one) => {
        await answer(one, '/admin/library/runway', LibraryRunway, () => runway);
        await mockCalls(one, '/admin/scheduled-messages/calendar', () => ({
          json: {
            days: [],
            library: { active: 119, days_without_message: 60, is_enough: true },
          },
        }));
      },
    });
    await see(page, 'Only 119 library messages are active');
    await see(page, 'Still being computed. This takes up to a minute.');
    const computed_at = '2027-04-05T12:20:00.000Z';
    runway = { computed_at, categories: [{ category: 'motivational', active: 30, days: 30 }] };
    await search(page, title);
    await press(page, `Edit: ${title}`);
    await dialog(page).getByLabel('Content').fill('Other words.');
    await inDialog(page, 'Save Changes');
    await see(page, `"${title}" was updated.`);
    await row(page, title).getByText('Other words.').waitFor();
    await press(page, `Edit: ${title}`);
    const body = { version: 2, content: 'By somebody else.' };
    await product.api('PUT', `/admin/templates/${id}`, body, pages.owner());
    await dialog(page).getByLabel('Content').fill('Mine.');
    await inDialog(page, 'Save Changes');
    await dialog(page).getByText('Someone else changed this in the meantime.').waitFor();
    await inDialog(page, 'Cancel');
    await row(page, title).getByText('By somebody else.').waitFor();
    await page.getByText('30 days').waitFor();
  });
});

describe('the questions', () => {
  const question = (page: Page, words: string) =>
    page.getByRole('article').filter({ hasText: words });
  const idOf = async (words: string) => {
    const path = '/admin/faqs';
    type Faqs = { id: string; question: string }[];
    const { body } = await product.api<Faqs>('GET', path, undefined, pages.owner());
    return body.find((one) => one.question === words)?.id ?? '';
  };

  it('are added, changed, moved and deleted, and subscribers see each change immediately', async () => {
    const words = `Is it warm ${Date.now()}?`;
    const page = await openAdmin(faqs, { expectComplaints: failedCall });
    const reader = await pages.open('/dashboard?tab=support', { as: await pages.subscriber() });
    const read = async () => {
      await reader.reload();
      await reader.getByText('How do I stop the texts?').waitFor();
      return reader.locator('details summary').allTextContents();
    };
    await see(page, /{{support_email}} become the product's name and the support address/);
    await press(page, 'Add Question');
    await inDialog(page, 'Add Question');
    await expect
      .poll(() => dialog(page).getByText('Please fill in all required fields').count())
      .toBe(2);
    await dialog(page).getByLabel('Question').fill(words);
    await dialog(page).getByLabel('Answer').fill('Write to {{support_email}}.');
    let restore = await failCalls(page, 'POST', '/admin/faqs');
    await inDialog(page, 'Add Question');
    await dialog(page).getByText('Error creating question').waitFor();
    restore();
    await inDialog(page, 'Add Question');
    await see(page, 'Question added.');
    await question(page, words).waitFor();
    expect((await read()).at(-1)).toContain(words);

    await press(page, `Edit: ${words}`);
    await dialog(page).getByLabel('Answer').fill('Yes, {{first_name}}.');
    await inDialog(page, 'Save Changes');
    await dialog(page)
      .getByText('{{product_name}} and {{support_email}} are the only placeholders')
      .waitFor();
    await dialog(page).getByLabel('Answer').fill('Yes.');
    const path = `/admin/faqs/${await idOf(words)}`;
    restore = await failCalls(page, 'PUT', path);
    await inDialog(page, 'Save Changes');
    await dialog(page).getByText('Error updating question').waitFor();
    restore();
    await inDialog(page, 'Save Changes');
    await see(page, 'Question updated.');
    await question(page, words).getByText('Yes.').waitFor();

    const before = await page.getByRole('article').getByRole('heading').allTextContents();
    restore = await failCalls(page, 'PUT', '/admin/faqs/order');
    await press(page, `Move up: ${words}`);
    await see(page, 'Error reordering questions');
    restore();
    await press(page, `Move up: ${words}`);
    const after = () => page.getByRole('article').getByRole('heading').allTextContents();
    const moved = [...before.slice(0, -2), before.at(-1), before.at(-2)];
    await expect.poll(after).toEqual(moved);
    expect((await read()).at(-2)).toContain(words);

    await press(page, `Delete: ${words}`);
    await dialog(page).getByText('will be permanently deleted').waitFor();
    restore = await failCalls(page, 'DELETE', path);
    await inDialog(page, 'Delete');
    await dialog(page).getByText('Error deleting question').waitFor();
    restore();
    await inDialog(page, 'Delete');
    await see(page, 'Question deleted.');
    await question(page, words).waitFor({ state: 'detached' });
    expect(await read()).toHaveLength(before.length - 1);
  });
});

describe('the sequence', () => {
  const texts = (page: Page) => page.getByRole('table', { name: 'Sequence texts' });

  it('is edited with a preview, and turned on and off', async () => {
    const { body } = await product.api<{ id: string; day: number }[]>(
      'GET',
      '/admin/sequence-texts',
      undefined,
      pages.owner(),
    );
    const page = await openAdmin(library, { expectComplaints: failedCall });
    const row100 = texts(page).getByRole('row', { name: /^Day 100 / });
    const edit = () => page.getByRole('button', { name: 'Edit: Day 100' }).click();
    await row100.getByText('Inactive').waitFor();
    await edit();
    await dialog(page).getByLabel('Content').fill('A hundred, {{first_name}}.');
    await dialog(page).getByText('18 characters').waitFor();
    await dialog(page).getByLabel('Active').click({ force: true });
    await expectNoBarriers(page, '[role=dialog]');
    const id = body.find(({ day }) => day === 100)?.id;
    const restore = await failCalls(page, 'PUT', `/admin/sequence-texts/${id}`);
    await inDialog(page, 'Save Changes');
    await dialog(page).getByText('Error updating sequence text').waitFor();
    restore();
    await inDialog(page, 'Save Changes');
    await see(page, 'The text for day 100 was updated.');
    await row100.getByText('Active', { exact: true }).waitFor();
    await edit();
    await dialog(page).getByLabel('Active').click({ force: true });
    await inDialog(page, 'Save Changes');
    await row100.getByText('Inactive').waitFor();
  });
});

it("a viewer reads library and questions and can't change them", async () => {
  const page = await openAdmin(library, { token: await pages.admin('viewer') });
  await see(page, 'You have view-only access. Operators can make changes.');
  await see(page, /1 to 25 of/);
  await expect.poll(() => page.getByRole('switch').count()).toBe(0);
  await page.goto(`${product.urls.gateway}${faqs}`);
  await page.getByRole('article').first().waitFor();
  for (const name of ['Add', 'Edit', 'Delete', 'Move'])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0);
});

it('is accessible on a phone and on a desktop', async () => {
  const page = await openAdmin(library, {
    prepare: async (one) => {
      // A check of every row of a long list finds nothing new.
      const first = async ({ real }: { real: () => Promise<object> }) =>
        ((await real()) as object[]).slice(0, 3);
      await mockCalls(one, '/admin/sequence-texts', async (call) => ({ json: await first(call) }));
      await mockCalls(one, '/admin/templates', async (call) => ({
        json: await first(call),
        headers: { 'x-total-count': '121' },
      }));
    },
  });
  await see(page, /1 to 25 of/);
  await expectNoBarriers(page);
  await press(page, 'Add Message');
  await see(page, 'Add a message to the library');
  await expectNoBarriers(page, '[role=dialog]');
  await page.setViewportSize(phone);
  await expectNoBarriers(page, '[role=dialog]');
  await inDialog(page, 'Cancel');
  await dialog(page).waitFor({ state: 'detached' });
  await expectNoBarriers(page);
  await page.goto(`${product.urls.gateway}${faqs}`);
  await page.getByRole('article').first().waitFor();
  await expectNoBarriers(page);
  await page.setViewportSize(desktop);
  await expectNoBarriers(page);
});
