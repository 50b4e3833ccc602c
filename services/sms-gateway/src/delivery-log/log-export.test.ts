import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aSubscriber, pastTexts } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { streamLog } from './log-export.ts';

const path = '/admin/sms-logs/export';
let harness: Harness;
let admin: ReturnType<typeof adminCalls>;

beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());

/** Parses CSV by RFC 4180, independent of the code that writes it. */
function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  for (let match = cells.exec(text); match !== null && match[0] !== ''; match = cells.exec(text)) {
    rows.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') rows.push([]);
  }
  expect(cells.lastIndex === 0 || cells.lastIndex === text.length, 'read to the end').toBe(true);
  const [header = [], ...body] = rows.filter((row) => row.length > 0);
  return body.map((row) => {
    expect(row).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']));
  });
}

const exported = async (query: string) => {
  const response = await admin.get(`${path}?${query}`, 'operator');
  expect(response.statusCode).toBe(200);
  return readCsv(response.body);
};

describe('the delivery report', () => {
  it("is a CSV file with the date in the operators' time zone that is not cached", async () => {
    harness.deps.operatorTimezone = 'Australia/Sydney';
    const { headers } = await admin.get(path, 'operator');
    harness.deps.operatorTimezone = 'America/New_York';
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe(
      'attachment; filename="delivery-report-2027-03-10.csv"',
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['=HYPERLINK("http://evil.example")', `'=HYPERLINK("http://evil.example")`],
    ['@SUM(1)', `'@SUM(1)`],
    ['+cmd|calc', `'+cmd|calc`],
    ['-1+1', `'-1+1`],
    ['＝1+1', `'＝1+1`],
    ['＋1', `'＋1`],
    ['－1', `'－1`],
    ['＠SUM(1)', `'＠SUM(1)`],
    ['5 ＋ 1', '5 ＋ 1'],
    ['\ttab', `'\ttab`],
    ['\rreturn', `'\rreturn`],
    ['one\nline', 'one\nline'],
    ['two\r\nlines, "quoted"', 'two\r\nlines, "quoted"'],
    ['sunrise 🌅 für dich', 'sunrise 🌅 für dich'],
    ['plain', 'plain'],
  ])('escapes %j as %j', async (content, cell) => {
    const { user_id, phone } = await aSubscriber(harness);
    await pastTexts(harness.db, user_id, [{ local_date: '2027-03-01', content, to_number: phone }]);
    const rows = await exported(`user_id=${user_id}`);
    expect(rows).toMatchObject([{ message_content: cell, to: `'${phone}`, status: 'delivered' }]);
  });

  it('contains every text of the range once, newest first, across pages', async () => {
    const batch_id = randomUUID();
    const { user_id } = await aSubscriber(harness);
    const texts = Array.from({ length: 350 }, (_, index) => ({
      local_date: `2027-02-${String((index % 28) + 1).padStart(2, '0')}`,
      kind: 'announcement' as const,
      batch_id,
    }));
    const ids = await pastTexts(harness.db, user_id, texts);
    const rows = await exported(`batch_id=${batch_id}&from=2027-02-01`);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const days = rows.map(({ local_date }) => local_date!);
    expect(days).toEqual(days.toSorted().toReversed());
    const some = await exported(`batch_id=${batch_id}&from=2027-02-05&to=2027-02-06`);
    expect(new Set(some.map(({ local_date }) => local_date))).toEqual(
      new Set(['2027-02-05', '2027-02-06']),
    );
  });

  it('streams with backpressure, and stops when the reader disconnects', async () => {
    const batch_id = randomUUID();
    const { user_id } = await aSubscriber(harness);
    const texts = Array.from({ length: 1_200 }, (_, index) => ({
      local_date: `2027-02-${String((index % 6) + 1).padStart(2, '0')}`,
      kind: 'announcement' as const,
      batch_id,
      // A page of these exceeds the stream's buffer.
      content: 'Breathe. '.repeat(30),
    }));
    await pastTexts(harness.db, user_id, texts);
    const [taken, left] = [
      streamLog(harness.db, { batch_id }),
      streamLog(harness.db, { batch_id }),
    ];
    for (const stream of [taken, left]) await once(stream, 'readable');
    left.destroy();
    await once(left, 'close');
    await harness.db
      .deleteFrom('texts')
      .where('batch_id', '=', batch_id)
      .where('local_date', '=', '2027-02-01')
      .execute();
    const days = readCsv(await text(taken)).map(({ local_date }) => local_date);
    expect(days).toHaveLength(1_000);
    expect(days).not.toContain('2027-02-01');
  });

  it('is audited with its filters', async () => {
    const user_id = randomUUID();
    await exported(`user_id=${user_id}&from=2027-02-01&to=2027-02-02&password=sunrise`);
    const adminAction = (await admin.adminActions()).at(-1);
    expect(adminAction).toMatchObject({ action: 'delivery_log.exported', username: 'someone' });
    expect(adminAction?.details).toEqual({ user_id, from: '2027-02-01', to: '2027-02-02' });
  });

  it.each([
    'from=2026-01-01&to=2027-03-01',
    'from=2027-03-02&to=2027-03-01',
    'from=2020-01-01',
    'from=x',
    'status=all',
    'batch_id=1',
  ])('rejects %s', async (query) => {
    expect((await admin.get(`${path}?${query}`, 'operator')).statusCode).toBe(400);
  });

  it('is for operators', async () => {
    expect((await admin.get(path, 'viewer')).statusCode).toBe(403);
    expect(await admin.refusals('GET', path)).toEqual([401, 403]);
  });
});
