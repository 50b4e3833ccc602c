import { join } from 'node:path';
import { createDatabase } from '@daylift/database/create-database';
import { createLogger } from '@daylift/server/logger';
import { createFixedClock, type FixedClock } from '@daylift/testing/fixed-clock';
import { createSmtpServer, type SmtpServer } from '@daylift/testing/smtp-server';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { failedMails } from './failed-mails.ts';
import { createMailLoop, type MailTables, queueMail } from './mail.ts';

let database: TestDatabase;
let db: Kysely<MailTables>;
let clock: FixedClock;
let smtp: SmtpServer;
let port: number;
const loops: ReturnType<typeof createMailLoop>[] = [];
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
beforeEach(async () => {
  clock = createFixedClock('2027-03-06T15:00:00Z');
  smtp = createSmtpServer();
  port = await smtp.listen();
});
afterEach(async () => {
  for (const loop of loops.splice(0)) loop.close?.();
  await smtp.close();
  await db.deleteFrom('mails').execute();
});

function mailLoop(rest: { render?: (mail: { key: string; text: string }) => string } = {}) {
  const loop = createMailLoop({
    db,
    clock,
    log: createLogger('test', 'silent'),
    config: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Daylift <hello@daylift.example>',
    },
    ...rest,
  });
  loops.push(loop);
  return { run: loop.run ?? (async () => 0), pending: loop.pending ?? (async () => 0) };
}

const queue = (key: string, to = 'ada@example.com', rest: object = {}) =>
  db
    .transaction()
    .execute((trx) =>
      queueMail(
        trx,
        { key, to, subject: `About ${key}`, text: 'Good morning, Ada.', ...rest },
        clock.now(),
      ),
    );
const header = (index: number, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(smtp.received[index]?.text ?? '')?.[1];

test('a mail is sent as queued', async () => {
  await queue('receipt:in_1');
  const { run, pending } = mailLoop();
  expect(await pending()).toBe(1);
  expect(await run()).toBe(1);
  expect(smtp.received.map((mail) => mail.to)).toEqual(['ada@example.com']);
  expect(header(0, 'subject')).toBe('About receipt:in_1');
  expect(header(0, 'from')).toBe('Daylift <hello@daylift.example>');
  expect(smtp.received[0]?.text).toContain('Good morning, Ada.');
  expect([await run(), await pending()]).toEqual([0, 0]);
});

test('secrets are inserted only when a mail is sent', async () => {
  await queue('greeting:ada');
  const { run } = mailLoop({ render: ({ key, text }) => text.replace('Ada', `${key} indeed`) });
  await run();
  expect(smtp.received[0]?.text).toContain('Good morning, greeting:ada indeed.');
  const { text } = await db.selectFrom('mails').select('text').executeTakeFirstOrThrow();
  expect(text).toBe('Good morning, Ada.');
});

test('the same key is one mail, however often it is queued', async () => {
  const { run } = mailLoop();
  await Promise.all(Array.from({ length: 5 }, () => queue('receipt:in_1')));
  await run();
  await queue('receipt:in_1');
  expect(await run()).toBe(0);
  expect(smtp.received).toHaveLength(1);
});

test('a mail queued in a rolled-back transaction is never sent', async () => {
  const change = db.transaction().execute(async (trx) => {
    await queueMail(trx, { key: 'k', to: 'a@b.example', subject: 's', text: 't' }, clock.now());
    throw new Error('taken back');
  });
  await expect(change).rejects.toThrow('taken back');
  expect(await mailLoop().run()).toBe(0);
});

test('with a slow mail server, a replica skips mails whose lease is about to expire', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const key of keys) await queue(key, `${key}@example.com`);
  const slow = mailLoop({
    render: ({ text }) => {
      clock.advance({ seconds: 61 });
      return text;
    },
  });
  await slow.run();
  expect(smtp.received).toHaveLength(1);
  await mailLoop().run();
  expect(smtp.received.map((mail) => mail.to).toSorted()).toEqual(
    keys.map((key) => `${key}@example.com`),
  );
  const mails = await db.selectFrom('mails').select('tries').execute();
  expect(mails.map(({ tries }) => tries)).toEqual(keys.map(() => 1));
});

test('behind a backlog, a new mail is sent within two runs, and the oldest mails are sent, too', async () => {
  for (let index = 0; index < 70; index += 1) {
    await queue(`old-${index}`);
    clock.advance({ seconds: 1 });
  }
  const { run } = mailLoop();
  await run();
  await queue('new');
  await run();
  await run();
  const subjects = smtp.received.map((_mail, index) => header(index, 'subject'));
  expect(subjects).toContain('About new');
  expect(subjects).toContain('About old-0');
  expect(smtp.connections).toBeLessThanOrEqual(4);
});

test('several replicas send each mail once', async () => {
  for (let index = 0; index < 30; index += 1) await queue(`k-${index}`, `a${index}@example.com`);
  const replicas = [mailLoop(), mailLoop(), mailLoop()];
  await Promise.all(replicas.map(({ run }) => run()));
  for (const { run } of replicas) await run();
  expect(new Set(smtp.received.map((mail) => mail.to)).size).toBe(30);
  expect(smtp.received).toHaveLength(30);
});

test('without a mail server a mail is retried with backoff, and sent when it is back', async () => {
  await smtp.close();
  await queue('k');
  const { run, pending } = mailLoop();
  const pauses: number[] = [];
  for (let tries = 0; tries < 3; tries += 1) {
    expect(await run()).toBe(1);
    expect([await run(), await pending()]).toEqual([0, 0]);
    const { next_try_at } = await db
      .selectFrom('mails')
      .select('next_try_at')
      .executeTakeFirstOrThrow();
    pauses.push(next_try_at.getTime() - clock.now().getTime());
    clock.set(next_try_at.toISOString());
  }
  expect(pauses).toEqual([2_000, 4_000, 8_000]);
  smtp = createSmtpServer();
  await smtp.listen(port);
  expect(await run()).toBe(1);
  expect(smtp.received).toHaveLength(1);
});

test('mails share connections, and are sent on others if the server has closed them', async () => {
  const { run } = mailLoop();
  for (const key of ['a', 'b', 'c']) {
    await queue(key);
    await run();
  }
  expect(smtp.connections).toBe(1);
  await smtp.close();
  smtp = createSmtpServer();
  await smtp.listen(port);
  await queue('d');
  await run();
  expect(smtp.received).toHaveLength(1);
});

test("a rejected mail doesn't block others", async () => {
  smtp.behavior = 'reject';
  await queue('first');
  const { run } = mailLoop();
  await run();
  smtp.behavior = 'accept';
  await queue('second');
  await run();
  expect(smtp.received).toHaveLength(1);
  clock.advance({ seconds: 2 });
  await run();
  expect(smtp.received.map((_mail, index) => header(index, 'subject'))).toEqual([
    'About second',
    'About first',
  ]);
});

test('a mail with a lost response is sent again with the same message id', async () => {
  smtp.behavior = 'accept and drop';
  await queue('k');
  const { run } = mailLoop();
  await run();
  smtp.behavior = 'accept';
  clock.advance({ seconds: 2 });
  await run();
  expect(smtp.received).toHaveLength(2);
  expect(header(0, 'message-id')).toBe(header(1, 'message-id'));
});

test('a mail claimed by a dead process is sent after its lease', async () => {
  await queue('k');
  await db
    .updateTable('mails')
    .set({ tries: 1, next_try_at: new Date(clock.now().getTime() + 60_000) })
    .execute();
  const { run } = mailLoop();
  expect(await run()).toBe(0);
  clock.advance({ minutes: 1 });
  expect(await run()).toBe(1);
  expect(smtp.received).toHaveLength(1);
});

test('a mail can have a reply-to address, and no input reaches its headers', async () => {
  await queue('letter:1', 'support@example.com', {
    subject: 'Hello\r\nBcc: everybody@example.com',
    replyTo: 'ada@example.com',
  });
  await mailLoop().run();
  expect(header(0, 'Reply-To')).toBe('ada@example.com');
  expect(header(0, 'Bcc')).toBeUndefined();
  expect(smtp.received.map((mail) => mail.to)).toEqual(['support@example.com']);
});

test('a mail can be erased once it is sent, but not because it failed', async () => {
  await queue('goodbye:1', 'ada@example.com', { eraseWhenSent: true });
  await mailLoop().run();
  expect(smtp.received).toHaveLength(1);
  expect(await db.selectFrom('mails').selectAll().execute()).toEqual([]);
  await smtp.close();
  await queue('goodbye:2', 'ada@example.com', { eraseWhenSent: true });
  await db.updateTable('mails').set({ tries: 29 }).execute();
  await mailLoop().run();
  expect(await db.selectFrom('mails').select('tries').execute()).toEqual([{ tries: 30 }]);
});

test('a mail that failed for good is listed with the time of its last attempt', async () => {
  await smtp.close();
  await queue('receipt:1');
  await db.updateTable('mails').set({ tries: 29 }).execute();
  await mailLoop().run();
  const [failed] = await failedMails<MailTables>().list(db, { limit: 10 });
  expect(failed).toMatchObject({ key: 'receipt:1', parked_at: clock.now() });
});
