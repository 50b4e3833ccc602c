import type { SandboxDeps } from '../deps.ts';
import type { ProcessRegistry } from './process-registry.ts';
import { settle, type Unsettled } from './settle.ts';

export interface Advanced {
  now: string;
  /** How many times the clock stopped for everything to settle. */
  stops: number;
  unsettled: Unsettled[];
  events: {
    stripe_webhooks: number;
    telnyx_webhooks: number;
    texts_accepted: number;
    emails: number;
  };
}

const HOUR_MS = 3_600_000;
const GRID_MS = 15 * 60_000;

export interface Journey {
  /** Null only settles the present. */
  target: Date | null;
  /** Longest wait at one stop. */
  capMs: number;
  /** Hours between stops without due work. */
  stopEveryHours: number;
}

/** Moves time stop by stop to the target. */
export async function advance(
  deps: SandboxDeps,
  registry: ProcessRegistry,
  { target, capMs, stopEveryHours }: Journey,
): Promise<Advanced> {
  const { clock } = deps;
  const before = countEvents(deps);
  const unsettled: Unsettled[] = [];
  let stops = 0;

  async function rest(): Promise<void> {
    const found = await settle(deps, registry, capMs);
    if (found !== null) {
      unsettled.push(found);
      // A process that is still down is in the report; it registers again when it returns.
      for (const process of registry.all()) if (!process.up) registry.forget(process);
    }
  }

  await registry.whenAssembled();
  // Work that is due now runs first and reports when the next work is due.
  await rest();
  while (target !== null && clock.now() < target) {
    await clock.moveTo(nextStop(deps, registry, { target, stopEveryHours }));
    stops += 1;
    await rest();
  }
  const after = countEvents(deps);
  return {
    now: clock.now().toISOString(),
    stops,
    unsettled,
    events: {
      stripe_webhooks: after.stripe_webhooks - before.stripe_webhooks,
      telnyx_webhooks: after.telnyx_webhooks - before.telnyx_webhooks,
      texts_accepted: after.texts_accepted - before.texts_accepted,
      emails: after.emails - before.emails,
    },
  };
}

/** Returns the target, the next regular stop, or the quarter-hour of the next work, whichever is first. */
function nextStop(
  deps: SandboxDeps,
  registry: ProcessRegistry,
  { target, stopEveryHours }: { target: Date; stopEveryHours: number },
): Date {
  const nowMs = deps.clock.now().getTime();
  const everyMs = stopEveryHours * HOUR_MS;
  const nextRegularMs = (Math.floor(nowMs / everyMs) + 1) * everyMs;
  const due = [
    ...registry.all().map(({ last }) => (last?.next_at ? Date.parse(last.next_at) : null)),
    ...deps.clock.engines.map((engine) => engine.nextAt()?.getTime() ?? null),
  ];
  const dueMs = due
    .filter((atMs) => atMs !== null && !Number.isNaN(atMs))
    .map((atMs) => Math.ceil(atMs! / GRID_MS) * GRID_MS)
    .filter((atMs) => atMs > nowMs);
  return new Date(Math.min(target.getTime(), nextRegularMs, ...dueMs));
}

function countEvents({ webhooks, counters }: SandboxDeps): Advanced['events'] {
  // Stripe has a sender per endpoint.
  const delivered = (provider: string) =>
    webhooks
      .all()
      .filter(({ name }) => name.startsWith(provider))
      .reduce((sum, { counts }) => sum + counts.delivered, 0);
  return {
    stripe_webhooks: delivered('stripe'),
    telnyx_webhooks: delivered('telnyx'),
    texts_accepted: counters.get('texts_accepted'),
    emails: counters.get('emails'),
  };
}
