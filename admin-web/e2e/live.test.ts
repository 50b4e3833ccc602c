import type { SchedulerStatus } from '@daylift/contracts/scheduler.http';
import type { SmsBatch } from '@daylift/contracts/sms.http';
import { afterEach, beforeAll, expect, it } from 'vitest';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  mockCalls,
  narrow,
  type Page,
  see,
  stopMocking,
  useAdminPages,
} from './harness.ts';

const { openAdmin, owner, product, sendAnnouncement, subscriber } = useAdminPages();

/** Slows the provider down enough to watch a batch. */
const slowText = (latencyMs: number) => product.faults({ latency_ms: { telnyx: latencyMs } });
afterEach(() => slowText(0));
beforeAll(async () => {
  await subscriber();
  await subscriber();
});

const read = async <T>(path: string): Promise<T> =>
  (await product.api<T>('GET', path, undefined, owner())).body;
const seeLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();
const newestBatch = (page: Page) =>
  page.getByRole('table', { name: 'Recent batches' }).locator('tbody tr').first();
/** Lost on a reload. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { notReloaded: true }));
const isMarked = (page: Page) => page.evaluate(() => 'notReloaded' in window);
const countCalls = (page: Page) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(pathname.slice('/api'.length));
  });
  return calls;
};

it('a batch appears and progresses in every window without a reload', async () => {
  const windows = await Promise.all([
    openAdmin('/admin/sms-system/batches'),
    openAdmin('/admin/sms-system/batches'),
  ]);
  for (const page of windows) {
    await seeLive(page);
    await mark(page);
  }
  const calls = windows.map(countCalls);
  // Longer than several polls of a busy gateway.
  await slowText(4_000);
  const sending = sendAnnouncement();
  const batch = async () => (await read<SmsBatch[]>('/admin/sms-batches?limit=1'))[0];
  await Promise.all(
    windows.map((page) =>
      newestBatch(page)
        .getByText(/^(Pending|Processing)$/)
        .waitFor(),
    ),
  );
  await slowText(0);
  await sending;
  const done = await batch();
  const total = done?.total_jobs ?? 0;
  expect(total).toBeGreaterThan(1);
  for (const page of windows) {
    const row = newestBatch(page);
    await row.getByText(`${total} of ${total}`).waitFor();
    await row.locator('td').last().getByText('Completed').waitFor();
    expect(await isMarked(page)).toBe(true);
  }
  const streamed = ['/admin/scheduler/status', '/admin/sms-batches', '/admin/sms-stats'];
  expect(calls.flat().filter((path) => streamed.includes(path))).toEqual([]);
});

it('half a minute of watching costs one connection and no calls', async () => {
  const connections: string[] = [];
  const page = await openAdmin('/admin/sms-system/batches', {
    prepare: async (one) => {
      one.on('request', (request) => {
        if (request.url().endsWith('/admin/live')) connections.push(request.url());
      });
    },
  });
  await seeLive(page);
  await see(page, 'Recent Batches');
  await page.waitForLoadState('load');
  const calls = countCalls(page);
  await page.waitForTimeout(30_000);
  expect(calls).toEqual([]);
  expect(connections).toHaveLength(1);
  await see(page, /^Live$/);
});

it('a missing or lost connection is shown to readers and screen readers, with the time of the figures, and recovers', async () => {
  const page = await openAdmin('/admin/sms-system/batches', {
    expectComplaints: /Failed to load resource/,
    prepare: (one) => mockCalls(one, '/admin/live', () => 'lost'),
  });
  await see(page, 'Not live');
  await page
    .getByRole('status')
    .filter({ hasText: 'Live updates are paused' })
    .waitFor({ state: 'attached' });
  await see(page, 'Recent Batches');
  await expectNoBarriers(page);
  await stopMocking(page);
  await seeLive(page);

  await page.setViewportSize(narrow);
  await mark(page);
  await page.context().setOffline(true);
  await see(page, /^Not live: last updated \d+:\d\d (AM|PM) E[DS]T$/);
  await expectNoSidewaysScroll(page);
  await sendAnnouncement();
  await page.context().setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  const { pending_jobs } = await read<SchedulerStatus>('/admin/scheduler/status');
  const [newest] = await read<SmsBatch[]>('/admin/sms-batches?limit=1');
  await see(page, newest?.name ?? '');
  expect(pending_jobs).toBe(0);
  expect(await isMarked(page)).toBe(true);
});

it('an admin who now needs two-step sign-in is led there, and gets no updates before', async () => {
  let isMissing = false;
  const page = await openAdmin('/admin/sms-system/batches', {
    expectComplaints: /Failed to load resource/,
    prepare: async (one) => {
      await mockCalls(one, '/admin/me', async (call) => ({
        json: { ...(await call.real()), totp_required: isMissing, totp_enabled: false },
      }));
      await mockCalls(one, '/admin/live', () =>
        isMissing
          ? {
              status: 403,
              json: { detail: 'x', code: 'TOTP_SETUP_REQUIRED', request_id: 'x' },
            }
          : undefined,
      );
    },
  });
  await seeLive(page);
  isMissing = true;
  // Ends the stream, like the gateway would.
  await page.context().setOffline(true);
  await see(page, /^Not live/);
  await page.context().setOffline(false);
  const words = 'Set up two-step sign-in to continue';
  await see(page, words);
  const calls = countCalls(page);
  await page.reload();
  await see(page, words);
  await page.waitForLoadState('networkidle');
  expect(calls).not.toContain('/admin/live');
  isMissing = false;
  await page.reload();
  await seeLive(page);
});
