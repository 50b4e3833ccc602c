import { eventually } from '@daylift/testing/eventually';
import { expect, test } from 'vitest';
import type { Document } from '../bad-input/described-calls.ts';
import { aSubscriber, get, password, signInAdmin, target } from './target.ts';

interface Analytics {
  users: { total: number; active: number };
  revenue: { total: number; total_cents: number };
}
const analytics = async () => (await get<Analytics>('/admin/analytics', await signInAdmin())).body;

test('the number of accounts reflects a deletion on every page that shows it', async () => {
  const { product } = target();
  const owner = await signInAdmin();
  const [, removed] = [await aSubscriber(), await aSubscriber()];
  const before = (await analytics()).users;
  const deleted = await product.api('DELETE', `/admin/users/${removed.id}`, undefined, owner);
  expect(deleted).toMatchObject({ status: 200, body: { telnyx_sync: 'not_required' } });
  const after = { total: before.total - 1, active: before.active - 1 };
  expect((await analytics()).users).toEqual(after);
  expect((await get<unknown[]>('/admin/users?limit=500', owner)).body).toHaveLength(after.total);
  await eventually(async () => {
    const live = await get<{ figures: Pick<Analytics, 'users'> }>('/admin/live', owner);
    return live.body.figures.users.total === after.total;
  });
});

test('amounts match the API docs: cents in fields that end in _cents, dollars elsewhere', async () => {
  const { product } = target();
  const { body: docs } = await get<Document & { info: { description: string } }>('/docs/json');
  expect(docs.info.description).toContain(
    'amounts in fields that end in `_cents` are cents, all others dollars',
  );
  const person = await aSubscriber();
  const token = await product.login(person.email, password);
  const upgrade = { plan: 'monthly' };
  const { status } = await product.api('POST', '/users/me/plan/upgrade', upgrade, token);
  expect(status).toBe(200);
  await eventually(async () => (await analytics()).revenue.total_cents > 0);
  expect((await analytics()).revenue).toMatchObject({ total: 4.99, total_cents: 499 });
});

test('statistics and cost count daily texts and announcements, not transactional texts', async () => {
  const { product } = target();
  const owner = await signInAdmin();
  const stats = async () =>
    (await get<{ total_sent: number; total_cost: number }>('/admin/sms-stats', owner)).body;
  const before = await stats();
  const person = await aSubscriber();
  await product.settle();
  expect(await product.texts(person.phone)).not.toEqual([]);
  expect(await stats()).toEqual(before);
  await product.advance(24, 12);
  await eventually(async () => (await stats()).total_cost > before.total_cost);
  const { total_sent, total_cost } = await stats();
  // A text of one part costs less than a cent.
  expect(total_cost / total_sent).toBeLessThan(0.02);
});
