import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { databaseName } from '../local/databases.ts';
import { type DueStack, withDueStack } from './due-stack.ts';
import type { Figure } from './figure.ts';
import { inParallel } from './http-load.ts';

const PARALLEL = 10;
const POLL_MS = 50;
const QUIET_MS = 60_000;

/** Measures the release of due texts to the queue during a freeze, compared with one insert per text. */
export function measureDue({ texts = 5_000 }: { texts?: number }): Promise<Figure[]> {
  return withDueStack({ texts }, async (due) => {
    const baseline = await insertOneByOne(due);
    const measured = await measureHandOver(due);
    return [
      {
        what: `due texts stored in the queue per second, ${due.due} due (baseline: one insert per text)`,
        ours: measured.toFixed(0),
        baseline: baseline.toFixed(0),
        ratio: measured / baseline,
        better: 'higher',
        target: '5,000/s',
      },
    ];
  });
}

/** Returns the texts released per second. A freeze keeps the workers from sending them. */
export async function measureHandOver(due: DueStack): Promise<number> {
  const { product, stack, database } = due;
  const admin = await product.adminLogin(stack.adminCredentials);
  await product.api('POST', '/admin/freeze', {}, admin);
  const before = await countTexts(database);
  const releasedAt = await due.release();
  let lastQueuedAt = performance.now();
  for (let queued = 0; queued < due.due; ) {
    const now = (await countTexts(database)) - before;
    if (now > queued) lastQueuedAt = performance.now();
    else if (performance.now() - lastQueuedAt > QUIET_MS)
      throw new Error(`Only ${queued} of ${due.due} due texts reached the queue, then none.`);
    queued = now;
    if (queued < due.due) await delay(POLL_MS);
  }
  return due.due / ((performance.now() - releasedAt) / 1_000);
}

async function countTexts(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'select count(*) from sms_gateway.texts',
  );
  return Number(rows[0]?.count);
}

async function insertOneByOne({ stack, database, due }: DueStack): Promise<number> {
  await database.query(`create table peer_texts (
    id uuid primary key, to_number text not null, body text not null, state text not null)`);
  const url = new URL(stack.databaseAdminUrl);
  url.pathname = `/${databaseName}`;
  const pool = new pg.Pool({ connectionString: url.href, max: PARALLEL });
  const startedAt = performance.now();
  await inParallel(due, PARALLEL, async (index) => {
    await pool.query(
      `insert into peer_texts values (gen_random_uuid(), $1, 'A small step is a step.', 'queued')`,
      [`+1555${index}`],
    );
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  await pool.end();
  await database.query('drop table peer_texts');
  return due / seconds;
}
