import { formatDay, formatExactInstant, formatInstant } from '@daylift/ui/formats';
import { expect, it } from 'vitest';
import { type Page, useAdminPages } from './harness.ts';

const { product, openAdmin, owner, subscriber } = useAdminPages();
const operators = 'America/New_York';
const now = async () => (await product.now()).toISOString();

interface Shown {
  at: string;
  words: string;
  title: string;
  /** Days are as exact as people need in this column. */
  isDay: boolean;
}
const timesOn = (page: Page, within = 'main'): Promise<Shown[]> =>
  page.locator(`${within} time`).evaluateAll((times) =>
    times.map((time) => ({
      at: time.getAttribute('datetime') ?? '',
      words: time.textContent ?? '',
      title: time.getAttribute('title') ?? '',
      isDay: time.closest('[data-label="Joined"]') !== null,
    })),
  );
const seeTimes = async (page: Page): Promise<Shown[]> => {
  await page.locator('main time').first().waitFor();
  return timesOn(page);
};

it("pages show, sort and filter by the operators' time and zone in any browser, with the exact time on hover", async () => {
  for (const timezone of ['America/New_York', 'Asia/Tokyo', 'America/Los_Angeles'])
    await subscriber({ timezone }, false);
  const path = '/admin/audit-log?limit=1';
  const { body } = await product.api<{ at: string }[]>('GET', path, undefined, owner());
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: operators }).format(
    new Date(body[0]?.at ?? ''),
  );
  const requests: string[] = [];
  const page = await openAdmin(`/admin/settings/audit-log?from=${date}&to=${date}`, {
    timezoneId: 'Asia/Tokyo',
    prepare: async (one) =>
      one.on('request', (request) => {
        if (request.url().includes('/admin/audit-log?')) requests.push(request.url());
      }),
  });
  const check = async (name: string) => {
    const times = await seeTimes(page);
    const today = await now();
    expect(times, name).toEqual(
      times.map(({ at, isDay }) => ({
        at,
        isDay,
        words: isDay ? formatDay(at, operators) : formatInstant(at, today, operators),
        title: formatExactInstant(at, operators),
      })),
    );
  };
  await check('audit-log');
  const [from, to] = ['from', 'to'].map((name) =>
    new URL(requests[0] ?? '').searchParams.get(name),
  );
  expect(from).toBe(`${date}T04:00:00.000Z`);
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 3_600_000);
  for (const name of ['settings/admins', 'forecast', 'subscribers']) {
    await page.goto(`${product.urls.gateway}/admin/${name}`);
    await check(name);
  }
  const joined = async () => (await timesOn(page, 'td[data-label="Joined"]')).map(({ at }) => at);
  await page.getByRole('columnheader', { name: 'Joined' }).getByRole('button').click();
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Joined' }).waitFor();
  await expect.poll(async () => (await joined()).length).toBeGreaterThan(2);
  const instants = await joined();
  expect(instants).toEqual(instants.toSorted());
});

it("a subscriber's page has their time and zone, and on hover the operators'", async () => {
  const { id } = await subscriber({ timezone: 'America/Los_Angeles' });
  const page = await openAdmin(`/admin/subscribers/${id}`);
  const since = page.getByRole('definition').filter({ has: page.locator('time') });
  await since.first().waitFor();
  const profile = await timesOn(page, 'main dl');
  expect(profile.length).toBeGreaterThan(1);
  for (const { at, words, title } of profile) {
    expect(words).toMatch(/ [AP]M P[DS]T$/);
    expect(title).toBe(
      `${formatExactInstant(at, 'America/Los_Angeles')} (${formatExactInstant(at, operators)})`,
    );
  }
});
