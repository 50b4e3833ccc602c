import { beforeAll, expect, test } from 'vitest';
import {
  movements,
  outOfReach,
  withoutVisibleFocus,
} from '../../deploy/system-tests/browser/reach-measures.ts';
import { expectNoSidewaysScroll, type Page, phone, useAdminPages } from './harness.ts';

const { open, openAdmin, subscriber } = useAdminPages();

let person: Awaited<ReturnType<typeof subscriber>>;
beforeAll(async () => {
  person = await subscriber();
});

const sections = [
  ['dashboard', 'Active Subs'],
  ['subscribers', 'Last message'],
  ['messages', 'Quick Actions'],
  ['messages/calendar', 'Next 60 Days'],
  ['messages/library', '1 to 25 of'],
  ['sms-system', 'Alert Settings'],
  ['sms-system/statistics', 'Delivery Time Distribution'],
  ['sms-system/batches', 'Recent Batches'],
  ['sms-system/delivery-log', 'Delivery Log'],
  ['sms-system/provider', 'Cost per message part'],
  ['forecast', 'Busiest hour'],
  ['undelivered', 'Undelivered on'],
  ['inbox', 'Messages and replies'],
  ['failed-events', 'failed'],
  ['settings/faqs', 'Add Question'],
  ['settings/admins', 'Invite an admin'],
  ['settings/audit-log', 'Verified through entry'],
] as const;

async function checkReach(page: Page, words: string): Promise<void> {
  await page.locator('main').getByText(words).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('load');
  for (const width of [320, 375, 768, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    if (width < 768) expect(await outOfReach(page), `at ${width} px`).toEqual([]);
  }
  expect(await movements(page), 'moves for those who want it still').toEqual([]);
  await page.keyboard.press('Tab');
  expect(await withoutVisibleFocus(page), 'does not show the focus').toEqual([]);
}

const options = { viewport: phone } as const;

test.each(sections)(
  'everything on %s is reachable from 320 to 2560 px, by touch and by keyboard, without layout shift',
  async (section, words) => {
    await checkReach(await openAdmin(`/admin/${section}`, options), words);
  },
);

test("the same on a subscriber's page, the account page, and the login", async () => {
  const page = await openAdmin(`/admin/subscribers/${person.id}`, options);
  await checkReach(page, 'Account created');
  await checkReach(await openAdmin('/admin/account', options), 'Two-step sign-in');
  await checkReach(await open('/admin/login', options), 'Admin login');
  const invitation = `/admin/invitation#${'a'.repeat(43)}`;
  await checkReach(await open(invitation, options), 'Choose your password');
});
