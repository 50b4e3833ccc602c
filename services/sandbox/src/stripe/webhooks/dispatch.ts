import { createHmac } from 'node:crypto';
import type { SandboxDeps } from '../../deps.ts';
import type { StoredEvent, Tables } from '../state/tables.ts';

/** Wall-clock pauses between attempts; the first are short because a local service can be restarting. */
const RETRY_DELAYS_MS = [150, 300, 600, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const TIMEOUT_MS = 10_000;

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Sends events to the configured address, signed. Each event stays `unsent` until delivered or abandoned. */
export function createDispatcher(deps: SandboxDeps, { events: table }: Tables) {
  const noted = new Set<string>();
  const { STRIPE_WEBHOOK_SECRET: secret, STRIPE_WEBHOOK_URL: address } = deps.config;
  const sender = deps.webhooks.create({
    name: 'stripe',
    retryDelaysMs: RETRY_DELAYS_MS,
    timeoutMs: TIMEOUT_MS,
    sign: (rawBody) => ({ 'stripe-signature': signature(rawBody, secret) }),
  });

  async function sendOne(event: StoredEvent): Promise<void> {
    noted.delete(event.id);
    // Events expire after thirty days, which can pass in one step.
    if (!table.find(event.id)) return;
    const rawBody = JSON.stringify(event, null, 2);
    const delivered = await sender.send(address, rawBody);
    if (delivered === null || !table.find(event.id)) return;
    table.save({ ...event, pending_webhooks: delivered ? 0 : 1 }, { unsent: false });
  }
  const send = async (events: readonly StoredEvent[]) => {
    await Promise.all(events.map(sendOne));
  };

  return {
    /** Sends events. Resolves when each is delivered or abandoned. */
    send,
    /** Returns how many events were noted but not handed to `send` yet. */
    unsent: () => noted.size,
    note: (events: readonly StoredEvent[]) => {
      for (const { id } of events) noted.add(id);
    },
    /** Sends the events that a stop interrupted. */
    resume: () => {
      const unsent = [...table.all()].filter(({ hidden }) => hidden.unsent);
      void send(unsent.map(({ object }) => object));
    },
  };
}

/** Returns a `t=…,v1=…` header with the wall clock's time, whatever the product's time is. */
function signature(rawBody: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const hash = createHmac('sha256', secret).update(`${seconds}.${rawBody}`).digest('hex');
  return `t=${seconds},v1=${hash}`;
}
