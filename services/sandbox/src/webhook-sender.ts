import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Faults } from './faults.ts';
import type { Collection, Store } from './store.ts';
import { createWebhookClient } from './webhook-request.ts';

export interface WebhookSenderOptions {
  name: string;
  faults: Faults;
  /** Wall-clock pauses between the attempts; one attempt more than pauses. */
  retryDelaysMs: readonly number[];
  timeoutMs: number;
  /** Called for each attempt, which carries its own wall-clock timestamp. */
  sign(rawBody: string): Record<string, string>;
  /** Renders the body of an attempt (Telnyx `meta`); default: the body as given. */
  render?(rawBody: string, attempt: number, url: string): string;
  /** Called once per event and copy, with whether any attempt got a 2xx. */
  onEnd?(rawBody: string, delivered: boolean): void;
  /** Keeps undelivered events over a restart. */
  store?: Store;
}

export interface SendOptions {
  /** Type of the event, by which deliveries are counted. */
  label: string;
  /** The reorder fault swaps within a group, such as one message; default: one address. */
  group?: string;
  /** Tried after every attempt at the first address failed. */
  failoverUrl?: string | null;
}

export interface WebhookCounts {
  delivered: number;
  failed_attempts: number;
  given_up: number;
  dropped: number;
  duplicated: number;
  by_label: Record<string, number>;
}

export interface WebhookSender {
  readonly name: string;
  readonly counts: WebhookCounts;
  /** Sends an event. Resolves once it is delivered or abandoned. */
  send(url: string, rawBody: string, options: SendOptions): Promise<void>;
  /** Returns the number of undelivered events, including those that wait for a retry. */
  pending(): number;
  /** Stops all deliveries. With a store they continue after the next start. */
  close(): void;
}

interface Delivery {
  id: string;
  url: string;
  raw_body: string;
  label: string;
  group: string;
  failover_url: string | null;
  /** Attempts made so far, over both addresses. */
  attempts: number;
}

const CONCURRENCY = 50;
const HOLD_MS = 700;

/** Delivers signed events: concurrently, with retries, and with the faults of the dials. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { faults } = options;
  const saved: Collection<Delivery> | undefined = options.store?.collection(
    `undelivered_${options.name}_webhooks`,
  );
  const undelivered = new Set<Delivery>();
  const held = new Map<string, { delivery: Delivery; timer: NodeJS.Timeout }>();
  const counts: WebhookCounts = {
    delivered: 0,
    failed_attempts: 0,
    given_up: 0,
    dropped: 0,
    duplicated: 0,
    by_label: {},
  };
  const stop = new AbortController();
  const client = createWebhookClient(options.timeoutMs);
  const lanes = createLanes(CONCURRENCY);

  function finish(delivery: Delivery, delivered: boolean): void {
    // False after a reset of the store.
    if (!undelivered.delete(delivery)) return;
    saved?.delete(delivery.id);
    options.onEnd?.(delivery.raw_body, delivered);
  }

  async function attempt(delivery: Delivery, url: string): Promise<boolean> {
    const number = (delivery.attempts % (options.retryDelaysMs.length + 1)) + 1;
    const body = options.render?.(delivery.raw_body, number, url) ?? delivery.raw_body;
    const signed = faults.hits(faults.current.webhook.wrong_signature) ? `${body} ` : body;
    const status = await client.post(url, options.sign(signed), body);
    return status !== null && status >= 200 && status < 300;
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const perUrl = options.retryDelaysMs.length + 1;
    const urls =
      delivery.failover_url === null ? [delivery.url] : [delivery.url, delivery.failover_url];
    while (undelivered.has(delivery) && delivery.attempts < perUrl * urls.length) {
      const url = urls[Math.floor(delivery.attempts / perUrl)] ?? delivery.url;
      if (await lanes(() => attempt(delivery, url))) {
        counts.delivered += 1;
        counts.by_label[delivery.label] = (counts.by_label[delivery.label] ?? 0) + 1;
        return finish(delivery, true);
      }
      if (stop.signal.aborted) return;
      counts.failed_attempts += 1;
      delivery.attempts += 1;
      const pauseMs = options.retryDelaysMs[(delivery.attempts % perUrl) - 1] ?? 0;
      await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (stop.signal.aborted) return;
    }
    counts.given_up += 1;
    finish(delivery, false);
  }

  /** Applies the reorder fault: holds one back until the next of its group is delivered. */
  async function inOrder(delivery: Delivery): Promise<void> {
    const waiting = held.get(delivery.group);
    if (waiting !== undefined) {
      clearTimeout(waiting.timer);
      held.delete(delivery.group);
      await deliver(delivery);
      return deliver(waiting.delivery);
    }
    if (!faults.hits(faults.current.webhook.reorder)) return deliver(delivery);
    const timer = setTimeout(() => {
      held.delete(delivery.group);
      void deliver(delivery);
    }, HOLD_MS);
    held.set(delivery.group, { delivery, timer });
  }

  async function start(delivery: Delivery): Promise<void> {
    undelivered.add(delivery);
    saved?.put(delivery.id, delivery);
    const { delay_ms } = faults.current.webhook;
    if (delay_ms > 0)
      await delay(delay_ms, undefined, { signal: stop.signal }).catch(() => undefined);
    if (!stop.signal.aborted) await inOrder(delivery);
  }

  for (const delivery of [...(saved?.values() ?? [])]) void start(delivery);
  options.store?.onReset(() => {
    undelivered.clear();
    for (const { timer } of held.values()) clearTimeout(timer);
    held.clear();
  });

  return {
    name: options.name,
    counts,
    send: async (url, rawBody, { label, group = url, failoverUrl = null }) => {
      const { webhook } = faults.current;
      if (faults.hits(webhook.drop)) {
        counts.dropped += 1;
        options.onEnd?.(rawBody, false);
        return;
      }
      const copies = faults.hits(webhook.duplicate) ? webhook.duplicate_copies : 0;
      counts.duplicated += copies;
      const event = { url, raw_body: rawBody, label, group, failover_url: failoverUrl };
      const deliveries = Array.from({ length: copies + 1 }, () =>
        start({ ...event, id: randomUUID(), attempts: 0 }),
      );
      await Promise.all(deliveries);
    },
    pending: () => undelivered.size,
    close: () => {
      stop.abort();
      client.close();
      for (const { timer } of held.values()) clearTimeout(timer);
    },
  };
}

/** Returns a function that runs at most `limit` tasks at a time, in order. */
function createLanes(limit: number): <T>(run: () => Promise<T>) => Promise<T> {
  let free = limit;
  const queue: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await run();
    } finally {
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
