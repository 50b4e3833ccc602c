import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxDeps } from '../deps.ts';
import type { ProcessRegistry, RegisteredProcess, Settled } from './process-registry.ts';

/** What was still running when a stop reached its cap. */
export interface Unsettled {
  at: string;
  waited_ms: number;
  processes: { name: string; up: boolean; busy: number | null }[];
  webhooks_pending: number;
  engines_pending: number;
}

// Between rounds; short, because most work takes milliseconds.
const PAUSES_MS = [2, 5, 10, 20, 40, 60];
// A long wait is for a lease or a restart, so its pauses grow with it.
const LONGEST_PAUSE_MS = 250;
const PAUSE_SHARE = 0.05;

/** Runs everything that is due until a round over all processes finds no change. Returns null, or what still ran at the cap. */
export async function settle(
  deps: SandboxDeps,
  registry: ProcessRegistry,
  capMs: number,
): Promise<Unsettled | null> {
  const started = performance.now();
  // Makes every process run its loops at least once, because time or a test may have left work to them.
  const settling = randomUUID();
  let before = fingerprint(deps, registry);
  let pollsAll = true;
  for (let round = 0; ; round += 1) {
    const leftMs = capMs - (performance.now() - started);
    await deps.clock.runEngines();
    // Idle processes are polled rarely while anything else is busy: each poll costs dozens of queries.
    const polled = registry
      .all()
      .filter((process) => process.up && (pollsAll || !isAtRest(process)));
    await Promise.all(
      polled.map((process) =>
        settleProcess(process, Math.max(leftMs, 1), {
          offset_ms: deps.clock.offsetMs(),
          outside: `${settling} ${registry.doneBeside(process)}`,
        }),
      ),
    );
    const rests =
      registry.all().every(isAtRest) && pendingEngines(deps) === 0 && pendingWebhooks(deps) === 0;
    const after = fingerprint(deps, registry);
    if (pollsAll && rests && after === before) return null;
    pollsAll = rests || round % 5 === 4;
    before = after;
    const waitedMs = performance.now() - started;
    if (waitedMs >= capMs) return report(deps, registry, waitedMs);
    const pauseMs = Math.min(waitedMs * PAUSE_SHARE, LONGEST_PAUSE_MS);
    await delay(Math.max(pauseMs, PAUSES_MS[Math.min(round, PAUSES_MS.length - 1)]!));
  }
}

const isAtRest = ({ up, last }: RegisteredProcess): boolean => up && last?.busy === 0;

/** Asks a process to run what is due and report what is left. */
async function settleProcess(process: RegisteredProcess, timeoutMs: number, request: object) {
  // Busy until it responds.
  if (process.last !== null) process.last = { ...process.last, busy: process.last.busy || 1 };
  try {
    const response = await fetch(process.settleUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
    });
    if (response.ok) process.last = (await response.json()) as Settled;
    else await response.arrayBuffer();
  } catch {
    // Polled again in the next round.
  }
}

/** Returns a fingerprint of the product's state, which stays the same while it's idle. */
function fingerprint(deps: SandboxDeps, registry: ProcessRegistry): string {
  const works = registry.all().map(({ name, settleUrl, last }) => [name, settleUrl, last?.work]);
  const delivered = deps.webhooks.all().map(({ counts }) => counts.delivered + counts.given_up);
  return JSON.stringify([works, delivered, deps.counters.all()]);
}

const pendingEngines = (deps: SandboxDeps) =>
  deps.clock.engines.reduce((sum, engine) => sum + (engine.pending?.() ?? 0), 0);

const pendingWebhooks = (deps: SandboxDeps) =>
  deps.webhooks.all().reduce((sum, sender) => sum + sender.pending(), 0);

function report(deps: SandboxDeps, registry: ProcessRegistry, waitedMs: number): Unsettled {
  return {
    at: deps.clock.now().toISOString(),
    waited_ms: Math.round(waitedMs),
    processes: registry
      .all()
      .filter(({ up, last }) => !up || last === null || last.busy > 0)
      .map(({ name, up, last }) => ({ name, up, busy: last?.busy ?? null })),
    webhooks_pending: pendingWebhooks(deps),
    engines_pending: pendingEngines(deps),
  };
}
