import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@daylift/database/create-database';
import { migrate } from '@daylift/database/migrate';
import { createFixedClock } from '@daylift/testing/fixed-clock';
import { publishedEvents } from '@daylift/testing/published';
import { createTestDatabase } from '@daylift/testing/test-database';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { testStart } from '../../test/harness.ts';
import type { AccountsDatabase } from '../database.ts';
import { createIdentityHash } from './identity-hash.ts';
import { republishUsersLoop } from './republish-users.loop.ts';

const folder = join(import.meta.dirname, '../../migrations');
const identityHash = createIdentityHash('k'.repeat(32));

/** A database from before emails and phones had proofs. */
async function databaseOfBefore() {
  const before = await mkdtemp(join(tmpdir(), 'daylift-before-'));
  for (const file of await readdir(folder))
    if (file < '033') await symlink(join(folder, file), join(before, file));
  const database = await createTestDatabase({ schema: 'accounts', folder: before });
  const options = { url: database.url, name: 'accounts-test', onError: () => undefined };
  const db = createDatabase<AccountsDatabase>(options);
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
    await rm(before, { recursive: true });
  });
  return { db, url: database.url };
}

it('an upgrade publishes what is proven for everyone, and gives unpaid signups an expiry', async () => {
  const { db, url } = await databaseOfBefore();
  const users = Array.from({ length: 51 }, (_, index) => ({
    ...{
      id: randomUUID(),
      name: 'Ada',
      email: `ada${index}@example.com`,
      phone: `+1312555${1000 + index}`,
    },
    ...{ password_hash: 'x', timezone: 'UTC', delivery_hour: 9, frequency: 'daily' as const },
    ...{
      consent: 'granted' as const,
      plan: 'monthly' as const,
      registered_at: new Date(testStart),
    },
    subscription_version: index === 0 ? 0 : 1,
  }));
  await db
    .insertInto('users')
    .values(users as never)
    .execute();
  await migrate({ databaseUrl: url, folder });
  // Deleted since the migration.
  await db.insertInto('users_to_republish').values({ user_id: randomUUID() }).execute();
  const loop = republishUsersLoop({ db, clock: createFixedClock(testStart), identityHash });
  const [one = 0, other = 0] = await Promise.all([loop.run?.(), loop.run?.()]);
  expect(one + other).toBe(52);
  expect(await loop.run?.()).toBe(0);
  const [unpaid, paid] = users;
  for (const type of ['accounts.recipient.changed', 'accounts.contact.changed']) {
    const told = (await publishedEvents(db, type)).map(({ data }) => data);
    expect(told).toHaveLength(51);
    expect(told).toContainEqual(
      expect.objectContaining({ user_id: paid?.id, version: 2, phone_proven: true }),
    );
    expect(told).toContainEqual(
      expect.objectContaining({ user_id: unpaid?.id, version: 2, phone_proven: false }),
    );
  }
  const ends = await sql<{ id: string; hours: number }>`select id,
    extract(epoch from expires_at - now())::float / 3600 as hours from users
    where expires_at is not null`.execute(db);
  expect(ends.rows).toEqual([{ id: unpaid?.id, hours: expect.closeTo(25, 0) }]);
});
