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

/** Runs everything that is due until a whole round finds no change. Returns null, or what still ran at the cap. */
export async function settle(
  deps: SandboxDeps,
  registry: ProcessRegistry,
  capMs: number,
): Promise<Unsettled | null> {
  const started = performance.now();
  let before = fingerprint(deps, registry);
  for (let round = 0; ; round += 1) {
    const leftMs = capMs - (performance.now() - started);
    await deps.clock.runEngines();
    const rested = await askAll(deps, registry, Math.max(leftMs, 1));
    const engines = pendingEngines(deps);
    const webhooks = pendingWebhooks(deps);
    const after = fingerprint(deps, registry);
    if (rested && engines === 0 && webhooks === 0 && after === before) return null;
    before = after;
    if (performance.now() - started >= capMs) {
      return report(deps, registry, performance.now() - started);
    }
    await delay(PAUSES_MS[Math.min(round, PAUSES_MS.length - 1)]);
  }
}

/** Asks every process in parallel and returns whether each is up and idle. */
async function askAll(
  deps: SandboxDeps,
  registry: ProcessRegistry,
  timeoutMs: number,
): Promise<boolean> {
  const body = JSON.stringify({ offset_ms: deps.clock.offsetMs() });
  const answers = await Promise.all(
    registry.all().map(async (process) => {
      const settled = process.up ? await ask(process, body, timeoutMs) : null;
      if (settled !== null) process.last = settled;
      return settled?.busy === 0;
    }),
  );
  return answers.every((rested) => rested) && registry.all().every(({ up }) => up);
}

async function ask(
  process: RegisteredProcess,
  body: string,
  timeoutMs: number,
): Promise<Settled | null> {
  try {
    const answer = await fetch(process.settleUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
    });
    if (!answer.ok) {
      await answer.arrayBuffer();
      return null;
    }
    return (await answer.json()) as Settled;
  } catch {
    return null;
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
