import { createHmac } from 'node:crypto';
import type { SandboxDeps } from '../../deps.ts';
import type { WebhookSender } from '../../webhook-sender.ts';
import type { StoredEvent, Tables } from '../state/tables.ts';

/** Wall-clock pauses between attempts; the first are short because a local service can be restarting. */
const RETRY_DELAYS_MS = [150, 300, 600, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const TIMEOUT_MS = 10_000;

/** Id of the endpoint that the environment configures. */
export const CONFIGURED_ENDPOINT = 'we_configured';

/** By endpoint, whether the event reached it. */
interface Results {
  id: string;
  results: Record<string, boolean>;
}

export interface Dispatcher {
  /** Records events to be sent, in the same journal write as the change that caused them. */
  note(events: readonly StoredEvent[]): void;
  /** Sends recorded events. Resolves when each is delivered or abandoned. */
  send(events: readonly StoredEvent[]): Promise<void>;
  /** Returns how many are recorded but not sent yet. */
  unsent(): number;
  /** Continues with what a stop interrupted: open deliveries and unsent events. */
  resume(): void;
  /** Returns an event as the API shows it now. */
  present(event: StoredEvent): StoredEvent;
  forget(eventId: string): void;
}

/** Sends events to every subscribed endpoint, signed with the endpoint's secret. */
export function createDispatcher(deps: SandboxDeps, tables: Tables): Dispatcher {
  const outbox = deps.store.collection<{ id: string }>('stripe_outbox');
  const results = deps.store.collection<Results>('stripe_webhook_results');
  const senders = new Map<string, WebhookSender>();

  function ended(endpointId: string, rawBody: string, delivered: boolean): void {
    const { id } = JSON.parse(rawBody) as StoredEvent;
    if (!tables.events.find(id)) return;
    const known = results.get(id)?.results ?? {};
    results.put(id, { id, results: { ...known, [endpointId]: known[endpointId] || delivered } });
  }

  const secretOf = (endpointId: string): string =>
    endpointId === CONFIGURED_ENDPOINT
      ? deps.config.STRIPE_WEBHOOK_SECRET
      : (tables.webhookEndpoints.find(endpointId)?.secret ?? '');

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
    // Events expire after thirty days, which can pass in one step.
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
    resume: () => {
      for (const id of tables.webhookEndpoints.ids()) senderOf(id);
      const unsent = [...outbox.values()].flatMap(({ id }) => tables.events.find(id) ?? []);
      void Promise.all(unsent.map(sendOne));
    },
    present: (event) => ({ ...event, pending_webhooks: waiting(event) }),
    forget: (eventId) => results.delete(eventId),
  };
}

/** Returns a `t=…,v1=…` header with the wall clock's time, whatever the product's time is. */
function signature(rawBody: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const hash = createHmac('sha256', secret).update(`${seconds}.${rawBody}`).digest('hex');
  return `t=${seconds},v1=${hash}`;
}
