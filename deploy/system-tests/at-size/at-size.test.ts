import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSecrets } from '../../local/secrets.ts';
import { fillDatabase } from '../../local/seed/fill-database.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';
import { prepareAdminReads } from './admin-reads.ts';
import { followPlans, type TableRead, writeDownPlans } from './plans.ts';

const size = { subscribers: 20_000, texts: 60_000, due: 2_000 };
/** A late list page may read up to 15,000 rows; a query that reads more scans a table. */
const maxRows = 18_000;

let running: TestStack;
let admin: string;
beforeAll(async () => {
  running = await startTestStack({ CLOCK_START: '2027-04-05T15:20:00Z' });
  const { stack, product } = running;
  await product.settle();
  await fillDatabase({
    databaseAdminUrl: stack.databaseAdminUrl,
    secrets: loadSecrets(stack.layout.secrets, {}),
    size,
    now: await product.now(),
    print: () => undefined,
  });
  admin = await product.adminLogin(stack.adminCredentials);
});
afterAll(() => running?.stop());

/** Loops that run at the same moment write in large sets; a page only reads. */
const isRead = ({ statement }: TableRead): boolean => /^\s*(select|with)\b/i.test(statement);

/** Figures of the business add up all subscribers of a range, which `npm run bench -- operators` measures. */
const isAboutEveryone = ({ statement }: TableRead): boolean => statement.includes('mrr_changes');

it('no admin page has a query that reads a whole table of subscribers or texts', async () => {
  const { stack, product } = running;
  const reads = await prepareAdminReads(product, admin);
  expect(reads.length).toBeGreaterThan(10);
  await writeDownPlans(stack);
  const readPlans = followPlans(stack);
  const tableReads: (TableRead & { call: string })[] = [];
  const failed: string[] = [];
  for (const { path } of reads) {
    const response = await callPatiently(path);
    if (response.status >= 300) failed.push(`${path}: ${response.status} ${response.detail}`);
    tableReads.push(...readPlans().map((read) => ({ ...read, call: path })));
  }
  expect.soft(failed, 'rejected calls').toEqual([]);
  // Verifies the test itself: plans of the calls were logged.
  expect(new Set(tableReads.filter(isRead).map((read) => read.table)).size).toBeGreaterThan(5);
  const large = tableReads
    .filter((read) => isRead(read) && read.rows > maxRows && !isAboutEveryone(read))
    .map(
      ({ call, table, rows, how, statement }) =>
        `${call}: ${how} of ${rows} in ${table}: ${statement.replace(/\s+/g, ' ').slice(0, 200)}`,
    );
  expect([...new Set(large)], 'queries that read a whole table').toEqual([]);
});

/** Services need a moment to reconnect after their sessions were terminated. */
const callPatiently = (path: string) =>
  eventually(async () => {
    const response = await fetch(`${running.stack.urls.gateway}/api${path}`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(text);
    return { status: response.status, detail: text.slice(0, 200) };
  });
