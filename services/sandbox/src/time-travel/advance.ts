import type { SandboxDeps } from '../deps.ts';
import type { ProcessRegistry } from './process-registry.ts';
import { settle, type Unsettled } from './settle.ts';

export interface Advanced {
  now: string;
  /** How often time stood still for everything to settle. */
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

/** Moves time stop by stop to `target`, or only settles the present when there is none. */
export async function advance(
  deps: SandboxDeps,
  registry: ProcessRegistry,
  target: Date | null,
  capMs: number,
): Promise<Advanced> {
  const { clock } = deps;
  const before = countEvents(deps);
  const unsettled: Unsettled[] = [];
  let stops = 0;

  async function rest(): Promise<void> {
    const found = await settle(deps, registry, capMs);
    if (found !== null) {
      unsettled.push(found);
      // It was waited for a whole cap and is in the report. If it ever comes back, it registers anew.
      for (const process of registry.all()) if (!process.up) registry.forget(process);
    }
  }

  await registry.whenAssembled();
  // What is due before the first move happens before it, and tells when the next thing is due.
  await rest();
  while (target !== null && clock.now() < target) {
    await clock.moveTo(nextStop(deps, registry, target));
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

/** The target, the next whole hour, or the quarter of an hour in which something is due: whichever comes first. */
function nextStop(deps: SandboxDeps, registry: ProcessRegistry, target: Date): Date {
  const nowMs = deps.clock.now().getTime();
  const nextHourMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  const due = [
    ...registry.all().map(({ last }) => (last?.next_at ? Date.parse(last.next_at) : null)),
    ...deps.clock.engines().map((engine) => engine.nextAt()?.getTime() ?? null),
  ];
  const dueMs = due
    .filter((atMs) => atMs !== null && !Number.isNaN(atMs))
    .map((atMs) => Math.ceil(atMs! / GRID_MS) * GRID_MS)
    .filter((atMs) => atMs > nowMs);
  return new Date(Math.min(target.getTime(), nextHourMs, ...dueMs));
}

function countEvents({ webhooks, counters }: SandboxDeps): Advanced['events'] {
  // Stripe has a sender for each further endpoint.
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
