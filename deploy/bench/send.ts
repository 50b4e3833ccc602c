import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { databaseName } from '../local/databases.ts';
import { readCounts } from './database-counts.ts';
import { type DueStack, withDueStack } from './due-stack.ts';
import type { Figure } from './figure.ts';
import { cpuSince, describeCpu, readCpu, sumOf } from './usage.ts';

const RECEIPTS_TIMEOUT_MS = 300_000;

/** Measures due texts through the whole product, compared with a script without guarantees on the same stand-in. */
export async function measureSend({ texts = 3_000 }: { texts?: number }): Promise<Figure[]> {
  return [...(await measureRun(texts, false)), ...(await measureRun(texts, true))];
}

function measureRun(texts: number, hasReceipts: boolean): Promise<Figure[]> {
  return withDueStack({ texts }, async (due) => {
    const { stack, standIn, database, product } = due;
    const peer = await runPeer(due);
    standIn.clear();
    standIn.sendsReceipts = hasReceipts;
    const counts = await readCounts(database);
    const cpu = readCpu(stack);
    const releasedAt = await due.release();
    await due.untilSent();
    if (hasReceipts) await untilAcknowledged(due);
    const perSecond = due.due / ((lastInstant(due, hasReceipts) - releasedAt) / 1_000);
    await product.settle();
    const used = cpuSince(cpu, readCpu(stack));
    const after = await readCounts(database);
    const perText = (value: number) => value / due.due;
    const hotShare = (after.hotUpdates - counts.hotUpdates) / (after.updates - counts.updates);
    const name = hasReceipts ? 'with receipts' : 'without receipts';
    console.log(`CPU by process, ${name}: ${describeCpu(used, due.due, 'ms per text')}`);
    return [
      {
        what: `texts per second, ${due.due} due at one instant, ${name} (baseline: script without guarantees)`,
        ours: perSecond.toFixed(0),
        baseline: peer.perSecond.toFixed(0),
        ratio: perSecond / peer.perSecond,
        better: 'higher',
        target: 'ratio 1.0',
      },
      {
        what: `CPU per text of all processes, ${name} (baseline: the script's own)`,
        ours: `${perText(sumOf(used)).toFixed(2)} ms`,
        baseline: `${peer.cpuMs.toFixed(2)} ms`,
        ratio: perText(sumOf(used)) / peer.cpuMs,
        better: 'lower',
        target: '2 ms',
      },
      {
        what: `transactions per text, ${name} (baseline: the script's)`,
        ours: perText(after.transactions - counts.transactions).toFixed(2),
        baseline: '1',
        ratio: perText(after.transactions - counts.transactions),
        better: 'lower',
        target: '0.5',
      },
      {
        what: `row writes per text, ${name} (baseline: the script's)`,
        ours: perText(after.rowWrites - counts.rowWrites).toFixed(2),
        baseline: '1',
        ratio: perText(after.rowWrites - counts.rowWrites),
        better: 'lower',
        target: '9',
      },
      {
        what: `share of updates that change no index (HOT), ${name} (baseline: all)`,
        ours: hotShare.toFixed(2),
        baseline: '1',
        ratio: hotShare,
        better: 'higher',
        target: '1',
      },
    ];
  });
}

let lastAcknowledgedAt = 0;

const lastInstant = ({ standIn }: DueStack, hasReceipts: boolean): number =>
  hasReceipts ? lastAcknowledgedAt : (standIn.arrivals.at(-1) ?? Number.NaN);

/** Two receipts per text. */
async function untilAcknowledged({ standIn, due }: DueStack): Promise<void> {
  const startedAt = performance.now();
  while (standIn.receipts.acknowledged < due * 2) {
    if (performance.now() - startedAt > RECEIPTS_TIMEOUT_MS) {
      const { acknowledged, refused } = standIn.receipts;
      throw new Error(
        `Only ${acknowledged} of ${due * 2} receipts were acknowledged; ${refused} were rejected.`,
      );
    }
    await delay(10);
  }
  lastAcknowledgedAt = performance.now();
}

/** Runs the script on as many texts, in its own table on the same server. */
async function runPeer({ stack, secrets, standIn, database, due }: DueStack) {
  await database.query(`create table peer_texts (
    id bigint primary key, to_number text not null, body text not null, state text not null, provider_id text)`);
  await database.query(
    `insert into peer_texts select n, '+1555' || lpad(n::text, 7, '0'), 'A small step is a step.', 'queued', null
      from generate_series(1, $1::int) as n`,
    [due],
  );
  const url = new URL(stack.databaseAdminUrl);
  url.pathname = `/${databaseName}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'peers/send.ts'),
    url.href,
    standIn.url,
    secrets.telnyx_api_key,
    '+18885550123',
  ]);
  const { ms, cpu_ms } = JSON.parse(stdout) as { ms: number; cpu_ms: number };
  await database.query('drop table peer_texts');
  return { perSecond: due / (ms / 1_000), cpuMs: cpu_ms / due };
}
