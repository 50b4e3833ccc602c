import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useAdminPages } from './harness.ts';

const { product, openAdmin, owner, subscriber } = useAdminPages();

it('shows user text as text on every page, and leaks none of it', async () => {
  // Letters only, because names with many digits are rejected as phone numbers.
  const mark = randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const markup = `<img src=x onerror="window.hacked=1"><b>${mark}</b>`;
  await subscriber({ name: `<script>hacked=1<script>${mark}` }, false);
  const message = {
    title: markup,
    content: `${markup}\u202e`,
    scheduled_date: '2027-05-20',
    category: 'announcement',
    scheduled_time: '12:00',
  };
  const created = await product.api<{ id: string }>(
    'POST',
    '/admin/scheduled-messages',
    message,
    owner(),
  );
  expect(created.status).toBe(201);
  const page = await openAdmin('/admin/dashboard?tab=subscribers');
  const isHarmless = async () => {
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await expect.poll(() => page.locator('b', { hasText: mark }).count()).toBe(0);
  };
  await page.getByLabel('Search').first().fill(mark);
  await page.getByText(`<script>hacked=1<script>${mark}`).first().waitFor();
  await isHarmless();
  for (const address of [
    '/admin/dashboard?tab=messages',
    `/admin/dashboard?tab=audit&target=${created.body.id}`,
  ]) {
    await page.goto(`${product.urls.gateway}${address}`);
    await page.getByText(mark).first().waitFor();
    await isHarmless();
  }
});
