import { join } from 'node:path';
import { createDatabase } from '@daylift/database/create-database';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failedMails } from './failed-mails.ts';
import { type MailTables, maxAttempts, queueMail } from './mail.ts';

const now = new Date('2027-03-06T15:00:00Z');
const source = failedMails<MailTables>();
let database: TestDatabase;
let db: Kysely<MailTables>;
beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'mail',
    folder: join(import.meta.dirname, '../test/migrations'),
  });
  db = createDatabase<MailTables>({ url: database.url, name: 'test', onError: () => undefined });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function aMail(key: string, tries: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const mail = { key, to: 'ada@example.com', subject: 'For Ada', text: 'Words for Ada.' };
    await queueMail(trx, mail, now);
    await trx.updateTable('mails').set({ tries }).where('key', '=', key).execute();
  });
}
const standing = (key: string) => db.transaction().execute((trx) => source.lock(trx, key));

test('a mail fails after all tries, and reveals no recipient', async () => {
  await aMail('receipt:in_1', maxAttempts);
  await aMail('receipt:in_2', maxAttempts - 1);
  await aMail('trial-reminder:1', maxAttempts);
  const all = await source.list(db, { limit: 10 });
  expect(all.map(({ key, type }) => [key, type]).sort()).toEqual([
    ['receipt:in_1', 'receipt'],
    ['trial-reminder:1', 'trial-reminder'],
  ]);
  expect(JSON.stringify(all)).not.toMatch(/ada/i);
  expect(await source.count(db, { type: 'receipt' })).toBe(1);
  expect(await Promise.all(['receipt:in_1', 'receipt:in_2', 'none'].map(standing))).toEqual([
    'parked',
    'replayed',
    null,
  ]);
});

test('a replayed mail gets all its tries again; a discarded one is erased', async () => {
  await aMail('receipt:in_3', maxAttempts);
  await aMail('receipt:in_4', maxAttempts);
  await db.transaction().execute(async (trx) => {
    await source.replay(trx, 'receipt:in_3', now);
    await source.discard(trx, 'receipt:in_4', now);
  });
  expect(await standing('receipt:in_3')).toBe('replayed');
  expect(await standing('receipt:in_4')).toBe('discarded');
  const rows = await db
    .selectFrom('mails')
    .select(['key', 'tries', 'to_address', 'subject', 'text'])
    .execute();
  const unchanged = { to_address: 'ada@example.com', subject: 'For Ada', text: 'Words for Ada.' };
  const erased = { to_address: '', subject: '', text: '' };
  expect(rows).toContainEqual({ key: 'receipt:in_3', tries: 0, ...unchanged });
  expect(rows).toContainEqual({ key: 'receipt:in_4', tries: maxAttempts, ...erased });
});
