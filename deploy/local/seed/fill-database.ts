import { dayMs } from '@daylift/clock/durations';
import { createDatabase } from '@daylift/database/create-database';
import { ensureMonthlyPartitions } from '@daylift/database/partitions';
import pg from 'pg';
import { databaseName, databaseUrl } from '../databases.ts';
import type { Secrets } from '../secrets.ts';
import { makePeople, type SeedSize } from './people.ts';
import { subscriberStatements } from './subscribers.ts';
import { textStatements } from './texts.ts';

interface SeedOptions {
  databaseAdminUrl: string;
  secrets: Secrets;
  size: SeedSize;
  /** Time of the product's clock. */
  now: Date;
  print: (line: string) => void;
}

/** Share of subscribers who get a text on a given day. */
const partWithText = 0.84;

/**
 * Fills all schemas with made-up subscribers and their texts, as the services would write them, to try pages and
 * queries at scale. The payment provider doesn't know them. Idempotent: a second run adds what is missing.
 */
export async function fillDatabase(options: SeedOptions): Promise<void> {
  const { size, now, secrets, print } = options;
  const url = new URL(options.databaseAdminUrl);
  url.pathname = `/${databaseName}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Generic plans, or each row would plan the functions of its columns, indexes and triggers again.
    await client.query(
      `set maintenance_work_mem = '512MB'; set work_mem = '128MB'; set synchronous_commit = off;
        set plan_cache_mode = force_generic_plan; set timezone = 'UTC'`,
    );
    print(`Creating ${size.subscribers.toLocaleString('en-US')} people`);
    await makePeople(client, size, now, secrets);
    for (const [table, statement] of subscriberStatements(now)) {
      await withoutIndexes(client, [table], size.subscribers, print, () =>
        runStatements(client, [[table, statement]], print),
      );
    }
    const days = daysFor(size, now);
    await preparePartitions(options, days);
    await withoutIndexes(
      client,
      ['scheduler.dispatches', 'sms_gateway.texts'],
      size.texts,
      print,
      () => fillTexts(client, days, size.texts, print),
    );
    print('Analyzing tables');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

async function fillTexts(
  client: pg.Client,
  days: string[],
  texts: number,
  print: (line: string) => void,
): Promise<void> {
  let left = texts;
  for (const date of days) {
    const before = await countTexts(client, date);
    await runStatements(client, textStatements(date, left), (line) => print(`${date} ${line}`));
    left -= (await countTexts(client, date)) - before;
  }
}

function daysFor({ texts, subscribers }: SeedSize, now: Date): string[] {
  const count = texts === 0 ? 0 : Math.ceil(texts / Math.max(1, subscribers * partWithText));
  return Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (index + 2) * dayMs).toISOString().slice(0, 10),
  );
}

async function countTexts(client: pg.Client, date: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from sms_gateway.texts where local_date = $1',
    [date],
  );
  return Number(rows[0]?.count ?? 0);
}

async function runStatements(
  client: pg.Client,
  statements: [table: string, statement: string][],
  print: (line: string) => void,
): Promise<void> {
  for (const [table, statement] of statements) {
    // Triggers use their service's schema.
    await client.query(`set search_path = ${table.split('.')[0]}`);
    const { rowCount } = await client.query(statement);
    print(`${table}: ${(rowCount ?? 0).toLocaleString('en-US')} rows`);
  }
}

async function preparePartitions(options: SeedOptions, days: string[]): Promise<void> {
  const earliest = days.at(-1);
  if (earliest === undefined) return;
  for (const [schema, table] of [
    ['scheduler', 'dispatches'],
    ['sms_gateway', 'texts'],
  ] as const) {
    const db = createDatabase<never>({
      url: databaseUrl(options.databaseAdminUrl, schema, options.secrets),
      name: 'seed',
      max: 1,
      onError: () => undefined,
    });
    await ensureMonthlyPartitions(db, table, new Date(earliest));
    await ensureMonthlyPartitions(db, table, options.now);
    await db.destroy();
  }
}

/** Fewer rows may be for a running product. Its statements would wait for the tables. */
const minRows = 100_000;

/** Drops and rebuilds the indexes in one transaction, so none is ever missing. Other sessions wait for it. */
async function withoutIndexes(
  client: pg.Client,
  tables: string[],
  rowCount: number,
  print: (line: string) => void,
  fill: () => Promise<void>,
): Promise<void> {
  if (rowCount < minRows) return fill();
  const definitions: string[] = [];
  await client.query('begin');
  for (const table of tables) {
    const [schema, name] = table.split('.');
    const { rows } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
        from pg_index where indrelid = $1::regclass
          and not exists (select from pg_constraint where conindid = indexrelid)`,
      [`${schema}.${name}`],
    );
    for (const { name: index, definition } of rows) {
      definitions.push(definition);
      await client.query(`drop index ${index}`);
    }
  }
  await fill();
  print(`Building the indexes of ${tables.join(' and ')}`);
  for (const definition of definitions) {
    // On a partitioned table, applies to all partitions.
    await client.query(definition.replace(' ON ONLY ', ' ON '));
  }
  await client.query('commit');
}
