import { beforeAll, expect } from 'vitest';
import { type Page, useAdminPages } from './harness.ts';

export const messages = '/admin/dashboard?tab=messages';

interface Message {
  id: string;
  title: string;
  content: string;
  scheduled_date: string;
  version: number;
}

/** Schedules messages from `firstDay` days ahead. Files share a stack, so each has its own dates. */
export function useMessages(firstDay: number) {
  const pages = useAdminPages();
  let today: Temporal.PlainDate;
  beforeAll(async () => {
    const now = await pages.product.now();
    today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
      .toZonedDateTimeISO('America/New_York')
      .toPlainDate();
  });
  let next = firstDay;
  /** Returns a date that no other test uses. */
  const aDate = (): string => {
    const date = today.add({ days: next }).toString();
    next += 1;
    return date;
  };
  const schedule = async (title: string, change: object = {}): Promise<Message> => {
    const body = { title, content: `${title} is the text.`, scheduled_date: aDate(), ...change };
    const path = '/admin/scheduled-messages';
    const response = await pages.product.api<Message>('POST', path, body, pages.owner());
    expect(response.status).toBe(201);
    return response.body;
  };
  return { ...pages, aDate, schedule };
}

export const inWords = (date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString('en-US', { dateStyle: 'medium' });
export const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
export const dialog = (page: Page) => page.getByRole('dialog');
export const inDialog = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name }).click();
export const search = async (page: Page, title: string) => {
  await page.getByLabel('Search titles').fill(title);
  // Phones don't show the header row.
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
};
export const fill = async (page: Page, title: string, content: string, date: string) => {
  await page.getByLabel(/^Title/).fill(title);
  await page.getByLabel('Content').first().fill(content);
  await page.getByLabel('Date').first().fill(date);
};
