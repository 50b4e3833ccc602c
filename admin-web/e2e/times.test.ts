import { formatDay, formatExactInstant, formatInstant } from '@daylift/ui/formats';
import { expect, it } from 'vitest';
import { mockCalls, type Page, useAdminPages } from './harness.ts';

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

it("pages show the operators' time and zone in any browser, and the exact time on hover", async () => {
  await subscriber();
  const page = await openAdmin('/admin/account', { timezoneId: 'Asia/Tokyo' });
  for (const path of ['settings/audit-log', 'settings/admins', 'subscribers', 'forecast']) {
    await page.goto(`${product.urls.gateway}/admin/${path}`);
    const times = await seeTimes(page);
    const today = await now();
    expect(times, path).toEqual(
      times.map(({ at, isDay }) => ({
        at,
        isDay,
        words: isDay ? formatDay(at, operators) : formatInstant(at, today, operators),
        title: formatExactInstant(at, operators),
      })),
    );
  }
});

it('has the year only outside the current one', async () => {
  const page = await openAdmin('/admin/settings/audit-log');
  for (const { words } of await seeTimes(page))
    expect(words).toMatch(/^[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M E[DS]T$/);
  const later = await openAdmin('/admin/settings/audit-log', {
    prepare: (one) =>
      mockCalls(one, '/admin/me', async (call) => ({
        json: { ...(await call.real()), now: '2031-01-15T12:00:00.000Z' },
      })),
  });
  for (const { words } of await seeTimes(later))
    expect(words).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M E[DS]T$/);
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

it('sorts subscribers by the instants it shows', async () => {
  await subscriber();
  await subscriber({ timezone: 'Asia/Tokyo' });
  await subscriber({ timezone: 'America/Los_Angeles' });
  const page = await openAdmin('/admin/subscribers');
  const joined = async () => (await timesOn(page, 'td[data-label="Joined"]')).map(({ at }) => at);
  await page.getByRole('columnheader', { name: 'Joined' }).getByRole('button').click();
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Joined' }).waitFor();
  await expect.poll(async () => (await joined()).length).toBeGreaterThan(2);
  const instants = await joined();
  expect(instants).toEqual(instants.toSorted());
});

it("the audit log filters by the operators' dates in any browser", async () => {
  const { body } = await product.api<{ at: string }[]>(
    'GET',
    '/admin/audit-log?limit=1',
    undefined,
    owner(),
  );
  const [latest] = body;
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: operators }).format(
    new Date(latest?.at ?? ''),
  );
  const requests: string[] = [];
  const page = await openAdmin(`/admin/settings/audit-log?from=${date}&to=${date}`, {
    timezoneId: 'Asia/Tokyo',
    prepare: async (one) =>
      one.on('request', (request) => {
        if (request.url().includes('/admin/audit-log?')) requests.push(request.url());
      }),
  });
  await seeTimes(page);
  const [from, to] = ['from', 'to'].map((name) =>
    new URL(requests[0] ?? '').searchParams.get(name),
  );
  expect(from).toBe(`${date}T04:00:00.000Z`);
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 3_600_000);
});
