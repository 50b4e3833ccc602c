import { randomInt } from 'node:crypto';
import { Calendar, History, type HistoryItem } from '@daylift/contracts/sms.http';
import { OwnDay } from '@daylift/contracts/timeline.http';
import { describe, expect, inject, test } from 'vitest';
import { aMessage } from './answers.ts';
import {
  answer,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  narrow,
  type Page,
  press,
  returnAfterMinute,
  see,
  useDashboard,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;

const { open } = useDashboard(pages);
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const manyMessages = (count: number) => Array.from({ length: count }, (_none, at) => aMessage(at));

/** Opens the overview with messages that can be replaced. */
const openWith = async (first: HistoryItem[], queries: string[] = []) => {
  let messages = first;
  const page = await open({
    viewport: narrow,
    prepare: async (blank) => {
      await answer(blank, '/users/me/sms-history', History, (query) => {
        queries.push(query.toString());
        return messages;
      });
      await answer(blank, '/users/me/calendar', Calendar, () => ({
        ...{ month: '2027-04', today: '2027-04-05', days: [] },
        ...{ streak_days: 0, streak_unit: 'days' as const, first_month: null },
      }));
    },
  });
  const replace = (next: HistoryItem[]) => {
    messages = next;
    return returnAfterMinute(page);
  };
  return { page, replace };
};

test('Recent Messages show five of ten, each with its day, its first sixty characters and its status', async () => {
  const queries: string[] = [];
  const { page, replace } = await openWith(manyMessages(10), queries);
  const items = card(page, 'Recent Messages').getByRole('listitem');
  await items.first().waitFor();
  await expect.poll(() => items.count()).toBe(5);
  expect(queries).toEqual(['limit=10']);
  await items.nth(4).getByText('Text number 4').waitFor();
  await items.nth(0).getByText('Apr 5, 2027, 11:30 PM').waitFor();

  const sixty = '0123456789'.repeat(6);
  const statuses = ['sent', 'delivered', 'queued', 'failed', 'unknown'] as const;
  const messages = [`${sixty}and the rest`, sixty, 'three', 'four', 'five'];
  await replace(
    messages.map((message_content, at) => aMessage(at, { message_content, status: statuses[at]! })),
  );
  const words = (at: number) => items.nth(at).getByRole('paragraph').first();
  await expect.poll(() => words(0).textContent()).toBe(`${sixty}...`);
  expect(await words(1).textContent()).toBe(sixty);
  for (const [at, status] of statuses.entries()) {
    const highlighted = status === 'sent' || status === 'delivered';
    const badge = items.nth(at).getByText(status, { exact: true });
    expect(await badge.getAttribute('data-tone'), status).toBe(highlighted ? 'green' : 'grey');
  }
  await expectNoBarriers(page);
  const showAll = page.getByRole('button', { name: 'Show all', exact: true });
  expect(await showAll.count()).toBe(1);
  await showAll.click();
  await expect.poll(() => words(0).textContent()).toBe(`${sixty}and the rest`);
  await press(page, 'Show less');
  await expect.poll(() => words(0).textContent()).toBe(`${sixty}...`);
});

test("Today's text stays the daily one, with an announcement beneath; until either comes, it is the last one with its date", async () => {
  const announcement = aMessage(0, {
    id: `${'2'.repeat(8)}-${'1'.repeat(32)}`,
    kind: 'announcement',
    message_content: 'We have a new sender',
  });
  const { page, replace } = await openWith([announcement, aMessage(0), aMessage(1)]);
  const today = card(page, "Today's text");
  await today.getByRole('heading', { level: 2, name: "Today's Text" }).waitFor();
  const below = card(page, 'Announcement');
  await below.getByText('We have a new sender').waitFor();
  expect(await below.getByText('Text number 0').count()).toBe(0);
  await today.getByText('Text number 0').waitFor();
  expect(await today.getByText('Text number 1').count()).toBe(0);
  const recent = card(page, 'Recent Messages').getByRole('listitem');
  await recent.nth(0).getByText('Announcement').waitFor();
  expect(await recent.nth(1).getByText('Announcement').count()).toBe(0);
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);
  await replace([announcement, aMessage(1)]);
  await today.getByRole('heading', { level: 2, name: "Today's Announcement" }).waitFor();
  await today.getByText('We have a new sender').waitFor();
  expect(await below.count()).toBe(0);
  await replace([aMessage(1), aMessage(2)]);
  await today.getByRole('heading', { name: 'Your last text, Apr 4, 2027' }).waitFor();
  await today.getByText('Text number 1').waitFor();
});

describe('A delivered text', () => {
  test('is in the figures, the list, the calendar and the full history', async () => {
    const person = await pages.subscriber();
    const admin = await product.adminLogin(inject('admin'));
    await product.settle();
    const message = {
      title: 'A word in between',
      content: `Well begun is half done, {{first_name}}: ${person.id.slice(0, 8)}.`,
      // Sent now, so the date must not be used by other tests.
      scheduled_date: `2028-12-${randomInt(10, 32)}`,
    };
    const path = '/admin/scheduled-messages';
    const created = await product.api<{ id: string }>('POST', path, message, admin);
    await product.settle();
    await product.api('POST', `${path}/${created.body.id}/send-now`, {}, admin);
    await product.settle();
    const page = await open({ as: person });
    for (const figure of ['Total Messages', 'This Week', 'Current Streak'])
      await card(page, figure).getByText('1', { exact: true }).waitFor();
    const words = `Well begun is half done, Ada: ${person.id.slice(0, 8)}.`;
    await card(page, "Today's text").getByText(words).waitFor();
    const saved = page.waitForEvent('download');
    await press(page, 'Share as Image');
    expect((await saved).suggestedFilename()).toBe('daylift.png');
    await card(page, 'Recent Messages').getByText(words).waitFor();
    await card(page, 'Recent Messages').getByText('delivered').waitFor();
    await card(page, 'Your Days').getByText('Your streak: 1 day.').waitFor();
    const today = card(page, 'Your Days').locator('[aria-current="date"]');
    await expect.poll(() => today.textContent()).toMatch(/^\d+, today, Text in your streak$/);
    await today.getByRole('button').click();
    await page.getByRole('dialog').getByText(words).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press(page, 'Show All Messages');
    await page.getByLabel('Search your messages').fill('half DONE');
    await page.keyboard.press('Enter');
    await see(page, '1 message with “half DONE”');
    await page.getByRole('list', { name: 'All messages' }).getByText(words).waitFor();
  });
});

describe('The calendar', () => {
  const months: Record<string, Calendar['days']> = {
    '2027-04': [
      { date: '2027-04-03', status: 'failed', in_streak: false },
      { date: '2027-04-04', status: 'delivered', in_streak: true },
      { date: '2027-04-05', status: 'sent', in_streak: true },
    ],
    '2027-03': [{ date: '2027-03-31', status: 'delivered', in_streak: false }],
  };
  const calendar = (month: string | null): Calendar => ({
    month: month ?? '2027-04',
    today: '2027-04-05',
    days: months[month ?? '2027-04'] ?? [],
    streak_days: 2,
    streak_unit: 'days',
    first_month: '2027-03',
  });
  const prepare = (page: Page) =>
    answer(page, '/users/me/calendar', Calendar, (query) => calendar(query.get('month')));
  const day = (page: Page, number: string) =>
    page.getByRole('cell', { name: new RegExp(`^${number}\\b`) });

  test('marks days with texts and the streak, month by month back to the first, even after one failed to load', async () => {
    const page = await open({ prepare, viewport: narrow, expectComplaints: failedCall });
    const april = page.getByRole('table', { name: 'Texts in April 2027' });
    const march = page.getByRole('table', { name: 'Texts in March 2027' });
    const [next, previous] = ['Next month', 'Previous month'].map((name) =>
      page.getByRole('button', { name }),
    );
    await april.waitFor();
    await see(page, 'Your streak: 2 days in a row.');
    expect(await day(page, '5').textContent()).toBe('5, today, Text in your streak');
    expect(await day(page, '4').textContent()).toBe('4, Text in your streak');
    expect(await day(page, '3').textContent()).toBe("3, Text didn't arrive");
    expect(await day(page, '6').textContent()).toBe('6');
    expect(await next!.isDisabled()).toBe(true);
    await expectNoSidewaysScroll(page);
    const restore = await failCalls(page, 'GET', '/users/me/calendar');
    await previous!.click();
    await card(page, 'Your Days').getByRole('alert').waitFor();
    await next!.click();
    await april.waitFor();
    restore();
    await previous!.click();
    await march.waitFor();
    await expect.poll(() => day(page, '31').textContent()).toBe('31, Text');
    await expect.poll(() => previous!.isDisabled()).toBe(true);
    await expectNoBarriers(page);
    await next!.click();
    await april.waitFor();
  });

  test('explains a day without a text, and one whose text did not arrive', async () => {
    const explanations: Record<string, string> = {
      '2027-04-02': 'No text on Apr 2, 2027: you paused until Apr 3, 2027.',
      '2027-04-03': "Your text was sent at 9:00 AM, but your carrier didn't deliver it.",
    };
    const page = await open({
      viewport: narrow,
      prepare: async (blank) => {
        await prepare(blank);
        await answer(blank, '/users/me/sms-history', History, (query) =>
          query.get('date') === '2027-04-03' ? [aMessage(2, { status: 'failed' })] : [],
        );
        for (const [date, explanation] of Object.entries(explanations))
          await answer(blank, `/users/me/days/${date}`, OwnDay, () => ({
            ...{ date, verdict: 'did_not' as const, explanation },
          }));
      },
    });
    await expect.poll(() => day(page, '2').textContent()).toBe('2, No text');
    expect(await day(page, '6').getByRole('button').count()).toBe(0);
    const dialog = page.getByRole('dialog');
    for (const [date, explanation] of Object.entries(explanations)) {
      await day(page, String(Number(date.slice(8))))
        .getByRole('button')
        .click();
      await dialog.getByText(explanation).waitFor();
      if (date === '2027-04-03') await expectNoBarriers(page);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });
});

describe('All Messages', () => {
  const all = manyMessages(45);
  /** Mocks the service: pages of twenty, with search and cursor. */
  const serve = (query: URLSearchParams): HistoryItem[] => {
    const found = all.filter((one) => one.message_content.includes(query.get('search') ?? ''));
    const after = found.findIndex((one) => one.id === query.get('before')) + 1;
    return found.slice(after, after + Number(query.get('limit')));
  };
  const prepare = (page: Page) => answer(page, '/users/me/sms-history', History, serve);
  const list = (page: Page) =>
    page.getByRole('list', { name: 'All messages' }).getByRole('listitem');

  test('load twenty at a time with the focus kept, can be retried after a failure, searched and cleared', async () => {
    const page = await open({ prepare, viewport: narrow, expectComplaints: failedCall });
    await card(page, 'Recent Messages').getByText('Text number 0').waitFor();
    const restoreFirst = await failCalls(page, 'GET', '/users/me/sms-history');
    const held = await holdCalls(page, 'GET', '/users/me/sms-history');
    await press(page, 'Show All Messages');
    await card(page, 'All Messages')
      .locator('[data-skeleton], .mantine-Skeleton-root')
      .first()
      .waitFor();
    held.release();
    await see(page, "We couldn't load this. Please try again.");
    restoreFirst();
    await press(page, 'Try again');
    await see(page, '20 or more messages');
    const restoreNext = await failCalls(page, 'GET', '/users/me/sms-history');
    const more = page.getByRole('button', { name: 'Load more' });
    await more.click();
    await see(page, "We couldn't load this right now.");
    expect(await list(page).count()).toBe(20);
    restoreNext();
    await press(page, 'Try again');
    await see(page, '40 or more messages');
    await more.click();
    await see(page, /^45 messages$/);
    await expect.poll(() => list(page).count()).toBe(45);
    await expect.poll(() => more.count()).toBe(0);
    await expect.poll(() => page.locator(':focus').textContent()).toContain('Text number 40');
    await expectNoSidewaysScroll(page);
    await page.getByLabel('Search your messages').fill('number 44');
    await press(page, 'Search');
    await see(page, '1 message with “number 44”');
    await expectNoBarriers(page);
    await press(page, 'Clear');
    await see(page, '45 messages');
    await expect.poll(() => page.getByLabel('Search your messages').inputValue()).toBe('');
    await expect.poll(() => page.locator(':focus').getAttribute('type')).toBe('search');
    await page.getByLabel('Search your messages').fill('nowhere');
    await page.keyboard.press('Enter');
    await see(page, 'No message with “nowhere”');
    await press(page, 'Hide');
    await expect.poll(() => page.getByLabel('Search your messages').count()).toBe(0);
  });
});
