import { randomUUID } from 'node:crypto';
import type { AdminRole } from '@daylift/contracts/fields';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { anAdmin } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(() => sql`truncate admins cascade`.execute(harness.deps.db));

async function admin(email: string, role: AdminRole, change: object = {}) {
  const username = `a-${randomUUID().slice(0, 8)}`;
  const { id } = await anAdmin(harness, { username, password: 'a sunny day', role, email });
  if (Object.keys(change).length > 0)
    await harness.deps.db.updateTable('admins').set(change).where('id', '=', id).execute();
}
const close = (month: string, id?: string) =>
  harness.receive(
    'billing.month.closed',
    { month, figures: [{ name: 'MRR at end', value: '$12.34', previous: '$10.00' }] },
    id,
  );

it("emails a month's figures to each owner once, however often they are reported", async () => {
  await admin('ann@example.com', 'owner');
  await admin('bob@example.com', 'owner');
  await admin('eve@example.com', 'operator');
  await admin('left@example.com', 'owner', { is_active: false });
  await admin('invited@example.com', 'owner', { password_hash: null });
  const id = randomUUID();
  await close('2027-03', id);
  await close('2027-03', id);
  await close('2027-03');
  for (const owner of ['ann@example.com', 'bob@example.com']) {
    const mails = await harness.mails(owner);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('March 2027')]);
    expect(mails[0]!.text).toContain('MRR at end: $12.34 ($10.00)');
    expect(mails[0]!.text).toContain('/admin/business?from=2027-03-01&to=2027-03-31');
  }
  for (const other of ['eve@example.com', 'left@example.com', 'invited@example.com'])
    expect(await harness.mails(other)).toEqual([]);
});

it('emails them to the support address if no owner has one', async () => {
  const { supportEmail } = harness.deps.product;
  await close('2027-04');
  const mails = await harness.mails(supportEmail);
  expect(mails.filter(({ subject }) => /April 2027/.test(subject))).toHaveLength(1);
});
