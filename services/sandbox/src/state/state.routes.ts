import type { Server } from '@daylift/server/create-server';
import type { SandboxDeps } from '../deps.ts';

export function registerState(
  app: Server,
  { clock, counters, store, webhooks }: SandboxDeps,
): void {
  app.get('/sandbox/log', async () => ({
    now: clock.now().toISOString(),
    counters: counters.all(),
    webhooks: Object.fromEntries(
      webhooks
        .all()
        .map((sender) => [sender.name, { ...sender.counts, pending: sender.pending() }]),
    ),
    engines: clock.engines().map((engine) => ({
      name: engine.name,
      next_at: engine.nextAt()?.toISOString() ?? null,
      pending: engine.pending?.() ?? 0,
    })),
  }));

  /** Clears texts, mail, payments, opt-outs and faults, but not the clock. */
  app.post('/sandbox/reset', async () => {
    await store.reset();
    return { reset: true, now: clock.now().toISOString() };
  });
}
