import { execFileSync } from 'node:child_process';
import { dayMs } from '@daylift/clock/durations';
import type { Stack } from '../local/stack.ts';
import type { Figure } from './figure.ts';

const maxLines = 1_000_000;
const sampleEveryMs = 200;
const lineFeed = 0x0a;

/** Measures the memory of sms-gateway while it exports up to a million lines of the delivery report. */
export async function measureExport(stack: Stack, admin: string, now: Date): Promise<Figure> {
  const service = stack.processes().find(({ name }) => name === 'sms-gateway');
  if (service === undefined) throw new Error('sms-gateway is not running');
  const before = residentMiB(service.pid);
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMiB(service.pid));
  }, sampleEveryMs);
  try {
    const day = (offset: number) =>
      new Date(now.getTime() + offset * dayMs).toISOString().slice(0, 10);
    const startedAt = performance.now();
    const lines = await readLines(
      `${stack.urls.gateway}/api/admin/sms-logs/export?from=${day(-300)}&to=${day(1)}`,
      admin,
    );
    const perSecond = lines / ((performance.now() - startedAt) / 1_000);
    return {
      what: `peak memory of sms-gateway while ${lines} lines of the delivery report are exported (baseline: before)`,
      ours: `${peak.toFixed(0)} MiB (${perSecond.toFixed(0)} lines a second)`,
      baseline: `${before.toFixed(0)} MiB`,
      ratio: peak / before,
      better: 'lower',
    };
  } finally {
    clearInterval(sampling);
  }
}

async function readLines(url: string, admin: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${admin}` } });
  if (!response.ok || response.body === null)
    throw new Error(`The export responded with ${response.status}`);
  let lines = 0;
  // Leaving the loop aborts the response.
  for await (const piece of response.body) {
    for (const byte of piece) if (byte === lineFeed) lines += 1;
    if (lines >= maxLines) break;
  }
  return lines;
}

const residentMiB = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024;
