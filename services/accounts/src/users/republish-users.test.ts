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

const anEarlierUser = (index: number) => ({
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
});

it('an upgrade keeps the access of everyone who paid or said YES, and gives it to no one else', async () => {
  const { db, url } = await databaseOfBefore();
  const paid = { subscription_version: 3 };
  const cases = [
    { was: 'paid', row: paid, email: true, phone: true },
    {
      was: 'canceled',
      row: { ...paid, subscription_status: 'canceled' },
      email: true,
      phone: true,
    },
    {
      was: 'paid, with a new number that has not agreed',
      row: { ...paid, phone_since_version: 5, consent: 'pending' },
      ...{ email: true, phone: false },
    },
    {
      was: 'paid, with a new number that said YES',
      row: { ...paid, phone_since_version: 5 },
      ...{ saidYes: true, email: true, phone: true },
    },
    { was: 'unpaid, with a YES', row: {}, saidYes: true, email: false, phone: true },
    {
      was: 'unpaid, with a YES of an earlier number',
      row: { phone_since_version: 5, consent: 'pending' },
      ...{ saidYes: true, email: false, phone: false },
    },
    { was: 'unpaid', row: {}, email: false, phone: false },
    {
      was: 'added by staff, unused',
      row: { created_by: randomUUID() },
      email: false,
      phone: false,
    },
  ].map((one, index) => ({ ...one, row: { ...anEarlierUser(index), ...one.row } }));
  const insert = (table: string, row: object) =>
    sql`insert into ${sql.table(table)} select * from json_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)})`;
  for (const { row, saidYes } of cases) {
    await db
      .insertInto('users')
      .values(row as never)
      .execute();
    if (saidYes)
      await insert('consents', {
        ...{ id: randomUUID(), user_id: row.id, phone_hash: 'x', source: 'reply' },
        ...{ wording_version: '1', given_at: testStart, timezone: 'UTC', delivery_hour: 9 },
      }).execute(db);
  }
  await migrate({ databaseUrl: url, folder });
  const stored = await db
    .selectFrom('users')
    .select(['id', 'email', 'phone', 'password_hash', 'expires_at'])
    .select(['email_proven_at', 'email_proof', 'phone_proven_at', 'phone_proof'])
    .execute();
  for (const { was, row, email, phone } of cases) {
    const proof = (isProven: boolean) => (isProven ? 'migrated' : null);
    const at = (isProven: boolean) => (isProven ? row.registered_at : null);
    expect(
      stored.find(({ id }) => id === row.id),
      was,
    ).toEqual({
      ...{ id: row.id, email: row.email, phone: row.phone, password_hash: 'x' },
      ...{ email_proof: proof(email), email_proven_at: at(email) },
      ...{ phone_proof: proof(phone), phone_proven_at: at(phone) },
      expires_at: was.startsWith('unpaid') && !phone ? expect.any(Date) : null,
    });
  }
});

it('an upgrade publishes what is proven for everyone, and gives unpaid signups an expiry', async () => {
  const { db, url } = await databaseOfBefore();
  const users = Array.from({ length: 51 }, (_, index) => ({
    ...anEarlierUser(index),
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
    const published = (await publishedEvents(db, type)).map(({ data }) => data);
    expect(published).toHaveLength(51);
    expect(published).toContainEqual(
      expect.objectContaining({ user_id: paid?.id, version: 2, phone_proven: true }),
    );
    expect(published).toContainEqual(
      expect.objectContaining({ user_id: unpaid?.id, version: 2, phone_proven: false }),
    );
  }
  const ends = await sql<{ id: string; hours: number }>`select id,
    extract(epoch from expires_at - now())::float / 3600 as hours from users
    where expires_at is not null`.execute(db);
  expect(ends.rows).toEqual([{ id: unpaid?.id, hours: expect.closeTo(25, 0) }]);
});
