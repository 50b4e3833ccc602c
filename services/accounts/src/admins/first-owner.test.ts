import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, type Harness } from '../../test/harness.ts';
import { ensureFirstOwner } from './first-owner.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const admins = () =>
  harness.deps.db.selectFrom('admins').select(['username', 'role', 'password_hash']).execute();

describe('The first owner', () => {
  it("doesn't exist without a configuration: a new database has no admin", async () => {
    expect(await ensureFirstOwner(harness.deps, {})).toBe(false);
    expect(await ensureFirstOwner(harness.deps, { username: 'owner' })).toBe(false);
    expect(await admins()).toEqual([]);
  });

  it('is created once by concurrently starting processes, and never changed', async () => {
    const configured = { username: 'owner', password: 'a sunny day' };
    await Promise.all([1, 2, 3].map(() => ensureFirstOwner(harness.deps, configured)));
    const [owner, ...others] = await admins();
    expect(others).toEqual([]);
    expect(owner).toMatchObject({ username: 'owner', role: 'owner' });
    await ensureFirstOwner(harness.deps, { username: 'other', password: 'another day' });
    await ensureFirstOwner(harness.deps, { username: 'owner', password: 'another day' });
    expect(await admins()).toEqual([owner]);
  });
});
