import { createHmac } from 'node:crypto';
import type { SandboxDeps } from '../../deps.ts';
import type { WebhookSender } from '../../webhook-sender.ts';
import type { StoredEvent, Tables } from '../state/tables.ts';

/** Wall-clock pauses; the first are short because a local service may just be restarting. */
const RETRY_DELAYS_MS = [150, 300, 600, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const TIMEOUT_MS = 10_000;

/** The endpoint that the environment configures, beside those made through the API. */
export const CONFIGURED_ENDPOINT = 'we_configured';

interface Outbox {
  id: string;
}
/** By endpoint, whether the event reached it; an endpoint that is not named is still waited for. */
interface Results {
  id: string;
  results: Record<string, boolean>;
}

export interface Dispatcher {
  /** Notes events as to be sent, in the same journal write as the change that caused them. */
  note(events: readonly StoredEvent[]): void;
  /** Hands noted events over. The promise resolves when each is delivered or given up. */
  send(events: readonly StoredEvent[]): Promise<void>;
  /** How many are noted and not handed over yet. */
  unsent(): number;
  /** Those of an earlier run. */
  left(): StoredEvent[];
  /** An event as the API shows it now. */
  present(event: StoredEvent): StoredEvent;
  /** Opens the way to an endpoint that was just made. */
  open(endpointId: string): void;
  forget(eventId: string): void;
}

/** Sends events to every endpoint that wants them, each signed with that endpoint's secret. */
export function createDispatcher(
  deps: SandboxDeps,
  tables: Tables,
  secretOf: (endpointId: string) => string,
): Dispatcher {
  const outbox = deps.store.collection<Outbox>('stripe_outbox');
  const results = deps.store.collection<Results>('stripe_webhook_results');
  const senders = new Map<string, WebhookSender>();

  function ended(endpointId: string, rawBody: string, delivered: boolean): void {
    const { id } = JSON.parse(rawBody) as StoredEvent;
    if (!tables.events.find(id)) return;
    const known = results.get(id)?.results ?? {};
    results.put(id, { id, results: { ...known, [endpointId]: known[endpointId] || delivered } });
  }

  function senderOf(endpointId: string): WebhookSender {
    const known = senders.get(endpointId);
    if (known) return known;
    const sender = deps.webhooks.create({
      name: endpointId === CONFIGURED_ENDPOINT ? 'stripe' : `stripe_${endpointId}`,
      retryDelaysMs: RETRY_DELAYS_MS,
      timeoutMs: TIMEOUT_MS,
      sign: (rawBody) => ({ 'stripe-signature': signature(rawBody, secretOf(endpointId)) }),
      onEnd: (rawBody, delivered) => ended(endpointId, rawBody, delivered),
    });
    senders.set(endpointId, sender);
    return sender;
  }

  function waiting(event: StoredEvent): number {
    const { targets } = tables.events.hidden(event.id);
    const known = results.get(event.id)?.results ?? {};
    return targets.filter((target) => !known[target]).length;
  }

  async function sendOne(event: StoredEvent): Promise<void> {
    if (!outbox.get(event.id)) return;
    outbox.delete(event.id);
    // Thirty days may pass in one leap, and with them the event.
    if (!tables.events.find(event.id)) return;
    const rawBody = JSON.stringify(event, null, 2);
    await Promise.all(
      tables.events.hidden(event.id).targets.map((target) => {
        const endpoint = tables.webhookEndpoints.find(target);
        return endpoint && senderOf(target).send(endpoint.url, rawBody, { label: event.type });
      }),
    );
  }

  return {
    note: (events) => {
      for (const event of events) outbox.put(event.id, { id: event.id });
    },
    send: async (events) => {
      await Promise.all(events.map(sendOne));
    },
    unsent: () => outbox.size,
    left: () =>
      [...outbox.values()].flatMap(({ id }) => {
        const event = tables.events.find(id);
        return event ? [event] : [];
      }),
    present: (event) => ({ ...event, pending_webhooks: waiting(event) }),
    open: (endpointId) => {
      senderOf(endpointId);
    },
    forget: (eventId) => results.delete(eventId),
  };
}

/** `t=…,v1=…` of the wall clock, whatever the product's time is. */
function signature(rawBody: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const hash = createHmac('sha256', secret).update(`${seconds}.${rawBody}`).digest('hex');
  return `t=${seconds},v1=${hash}`;
}
