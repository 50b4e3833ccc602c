import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startContent, statuses, type TestContent } from '../../test/harness.ts';

let test: TestContent;
beforeAll(async () => {
  test = await startContent();
});
afterAll(() => test.stop());
beforeEach(async () => {
  test.clock.set('2027-03-06T12:00:00Z');
  await test.db.deleteFrom('scheduled_messages').execute();
  await test.db.deleteFrom('outbox').execute();
});

const url = '/admin/scheduled-messages/import';
interface Report {
  dry_run: boolean;
  imported: number;
  ok: number;
  already_there: number;
  invalid: number;
  lines: { line: number; status: string; date: string; title: string; detail: string | null }[];
  detail: string;
}
const importCsv = async (csv: string, more: object = {}) =>
  test.call<Report>('POST', url, { csv, ...more });
const stored = async () =>
  (await test.list('?status=upcoming&limit=500')).map(
    (row) => [row.scheduled_date, row.title, row.content] as const,
  );
const good = 'date,title,content\n2027-03-07,One,First text\n2027-03-08,Two,Second text\n';

describe('POST /admin/scheduled-messages/import', () => {
  it('previews an import, and then runs it', async () => {
    const dry = await importCsv(good, { dry_run: true });
    expect(dry).toMatchObject({ status: 200, body: { dry_run: true, imported: 0, ok: 2 } });
    expect(await stored()).toEqual([]);
    const { body } = await importCsv(good);
    expect(body).toEqual({
      dry_run: false,
      imported: 2,
      ok: 2,
      already_there: 0,
      invalid: 0,
      lines: [
        { line: 2, status: 'ok', date: '2027-03-07', title: 'One', detail: null },
        { line: 3, status: 'ok', date: '2027-03-08', title: 'Two', detail: null },
      ],
    });
    expect(await stored()).toEqual([
      ['2027-03-07', 'One', 'First text'],
      ['2027-03-08', 'Two', 'Second text'],
    ]);
    expect(await publishedEvents(test.db, 'content.message.scheduled')).toHaveLength(2);
    const adminActions = await publishedEvents(test.db, 'content.admin.acted');
    expect(adminActions.map((one) => one.data)).toMatchObject([
      {
        action: 'messages.imported',
        details: { messages: 2, from: '2027-03-07', until: '2027-03-08' },
      },
    ]);
  });

  it('reports everything as present the second time, also for ten concurrent imports', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => importCsv(good)));
    expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200));
    expect(responses.reduce((sum, response) => sum + response.body.imported, 0)).toBe(2);
    test.clock.set('2027-06-01T12:00:00Z');
    expect((await importCsv(good)).body).toMatchObject({
      imported: 0,
      already_there: 2,
      invalid: 0,
      lines: [{ status: 'already_there' }, { status: 'already_there' }],
    });
    expect(await publishedEvents(test.db, 'content.message.scheduled')).toHaveLength(2);
  });

  it.each([
    ['commas', 'date,title,content\n2027-03-07,One,Text\n'],
    ['semicolons, as Excel writes them', 'date;title;content\r\n2027-03-07;One;Text\r\n'],
    ['tabs', 'date\ttitle\tcontent\n2027-03-07\tOne\tText'],
    ['a mark of UTF-8 before it', '\ufeffdate,title,content\r\n2027-03-07,One,Text\r\n'],
    ['the columns in another order and case', 'Content , TITLE,Date\nText,One,2027-03-07'],
    ['another column', 'id,date,title,content\n7,2027-03-07,One,Text'],
    ['old ends of line', 'date,title,content\r2027-03-07,One,Text\r'],
    ['US dates, as Excel writes them', 'date,title,content\r\n3/7/2027,One,Text\r\n'],
    ['US dates with two digits', 'date,title,content\n03/07/27,One,Text'],
    ['empty lines and rows', '\ndate,title,content\n\n,,\n2027-03-07,One,Text\n  \n,,\n'],
    ['all cells in quotes', '"date","title","content"\n"2027-03-07","One","Text"'],
  ])('parses %s', async (_name, csv) => {
    expect((await importCsv(csv)).body).toMatchObject({ imported: 1, invalid: 0 });
    expect(await stored()).toEqual([['2027-03-07', 'One', 'Text']]);
  });

  it('keeps cell contents unchanged, whatever they look like', async () => {
    const csv = [
      'date,title,content',
      '2027-03-07,"=1+1","=HYPERLINK(""http://x.example"",""y"")"',
      '2027-03-08,@SUM(1),"Two lines,\r\nand a ""quote"""',
      '2027-03-09,+1,He said "hello" and left',
      '2027-03-10,-1,Caf\u00e9 \u{1f305}; more',
    ].join('\r\n');
    const { body } = await importCsv(csv);
    expect(body.lines.map((one) => one.line)).toEqual([2, 3, 5, 6]);
    expect(await stored()).toEqual([
      ['2027-03-07', '=1+1', '=HYPERLINK("http://x.example","y")'],
      ['2027-03-08', '@SUM(1)', 'Two lines,\nand a "quote"'],
      ['2027-03-09', '+1', 'He said "hello" and left'],
      ['2027-03-10', '-1', 'Caf\u00e9 \u{1f305}; more'],
    ]);
  });

  it('reports the error of each line, and stores nothing if one is invalid', async () => {
    await test.schedule({ title: 'There', scheduled_date: '2027-03-20' });
    const csv = [
      'date,title,content',
      '2027-03-07,Good,A good day',
      ',Nothing,x',
      '2027-03-08,,x',
      '2027-03-09,Blank,"  "',
      '2027-02-30,No such,x',
      '30/11/2027,Not American,x',
      '2027-03-01,Past,x',
      '2027-03-10,Place,Hi {{name}}',
      `2027-03-11,Long,${'a'.repeat(1601)}`,
      `2027-03-12,${'t'.repeat(201)},x`,
      `2027-03-13,Parts,${'\u{1f305}'.repeat(400)}`,
      '2027-03-07,Again,Another text',
      '2027-03-07,Good,A good day',
      '2027-03-20,Mine,x',
      '2027-03-14,Comma,one, two',
      '2027-03-08,Mended,The date of a line that is wrong',
    ].join('\n');
    const { status, body } = await importCsv(csv);
    expect([status, body.detail]).toEqual([200, undefined]);
    const details = Object.fromEntries(body.lines.map((one) => [one.line, one.detail]));
    expect(body.lines.map((one) => one.line)).toEqual(
      Array.from({ length: 16 }, (_, index) => index + 2),
    );
    expect(details).toMatchObject({
      2: null,
      3: 'Please fill in all required fields. Missing: date.',
      4: 'Please fill in all required fields. Missing: title.',
      5: 'Please fill in all required fields. Missing: content.',
      6: expect.stringContaining('"2027-02-30" is not a date.'),
      7: '"30/11/2027" is not a date. Write it as 2027-03-07 or 3/7/2027 (month/day/year).',
      8: 'March 1, 2027 has passed in every time zone. Choose today or a later date.',
      9: '{{first_name}} is the only placeholder you can use. Remove {{name}}.',
      10: 'The content can have at most 1600 characters.',
      11: 'The title can have at most 200 characters.',
      12: expect.stringContaining('the carrier allows at most 10'),
      13: 'Line 2 has the same date. Each date can have one daily message.',
      14: 'Same as line 2.',
      15: expect.stringContaining('March 20, 2027 already has a daily message.'),
      16: 'This line has 4 cells, but the header has 3. Put text that contains a comma in quotation marks.',
      17: null,
    });
    expect(body).toMatchObject({ imported: 0, ok: 2, already_there: 1, invalid: 13 });
    expect(await test.list()).toHaveLength(1);

    expect((await importCsv(csv, { skip_invalid: true })).body).toMatchObject({ imported: 2 });
    expect(await stored()).toContainEqual(['2027-03-07', 'Good', 'A good day']);
  });

  it.each([
    ['a file without a header', '2027-03-07,One,Text', /Missing: date, title, content\./],
    ['a header without a column', 'date,text\n2027-03-07,x', /Missing: title, content\./],
    ['a header and nothing else', 'date,title,content\n\n', /no lines below/],
    [
      'a quotation mark that stays open',
      'date,title,content\n2027-03-07,One,Text\n2027-03-08,"Two,Text\n2027-03-09,x,y',
      /starts on line 3/,
    ],
    ['blanks', ' \n ', /csv/],
    ['too many lines', `date,title,content\n${'2027-03-07,a,b\n'.repeat(1_001)}`, /1000/],
    ['more than a megabyte', `date,title,content\n${'x'.repeat(1_000_000)}`, /csv/],
  ])('responds 400 to %s', async (_name, csv, detail) => {
    const { status, body } = await importCsv(csv);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(detail)]);
  });

  it('accepts 500 lines, and stores all or none during concurrent changes', async () => {
    const day = (number: number) =>
      Temporal.PlainDate.from('2027-03-07').add({ days: number }).toString();
    const csv = `date,title,content\n${Array.from({ length: 500 }, (_, number) => `${day(number)},Day ${number},"Text, ${number}"`).join('\n')}`;
    const [response, raced] = await Promise.all([
      importCsv(csv),
      test.schedule({ title: 'In between', scheduled_date: day(250) }),
    ]);
    const all = raced.status === 409;
    expect(response.body.imported).toBe(all ? 500 : 0);
    expect(response.body.lines).toHaveLength(500);
    expect(response.body.invalid).toBe(all ? 0 : 1);
    expect(await publishedEvents(test.db, 'content.message.scheduled')).toHaveLength(all ? 500 : 1);
    expect((await importCsv(csv, { skip_invalid: true })).body.imported).toBe(all ? 0 : 499);
    expect(await stored()).toHaveLength(500);
  });

  it('is for operators', async () => {
    expect(await statuses(test, 'POST', url, { csv: good })).toEqual({
      anonymous: 401,
      user: 403,
      viewer: 403,
    });
    expect(await stored()).toEqual([]);
  });
});
