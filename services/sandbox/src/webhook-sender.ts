import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Faults } from './faults.ts';
import type { Collection, Store } from './store.ts';

export interface WebhookSenderOptions {
  name: string;
  faults: Faults;
  /** Wall-clock pauses between the attempts; one attempt more than pauses. */
  retryDelaysMs: readonly number[];
  timeoutMs: number;
  /** Called for each attempt, so that its timestamp is the wall clock's of that moment. */
  sign(rawBody: string): Record<string, string>;
  /** Only where the body tells the attempt (Telnyx `meta`); else the body goes out as given. */
  render?(rawBody: string, attempt: number, url: string): string;
  /** Told how each event, or each copy of it, ended: whether some attempt was answered with a 2xx. */
  onEnd?(rawBody: string, delivered: boolean): void;
  /** With it, what is undelivered outlives a restart. */
  store?: Store;
}

export interface SendOptions {
  /** Type of the event, counted per label. */
  label: string;
  /** What the reorder fault swaps within, such as one message; default all of one address. */
  group?: string;
  /** Takes over when every attempt at the first address failed. */
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
  /** Hands the event over; nobody has to wait for the promise, which resolves once it is delivered or given up. */
  send(url: string, rawBody: string, options: SendOptions): Promise<void>;
  /** Undelivered events, those that wait for their next attempt too. */
  pending(): number;
  /** Waits for pending() to be 0; false when it took longer than that. */
  whenIdle(timeoutMs: number): Promise<boolean>;
  /** Abandons what is under way; it goes on after the next start where there is a store. */
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

const CONCURRENCY = 16;
const HOLD_MS = 700;

/** Delivers signed events to whoever listens: concurrently, retried, and as badly as the fault dials say. */
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
  const lanes = createLanes(CONCURRENCY);

  function finish(delivery: Delivery, delivered: boolean): void {
    // False after a reset of the store: nobody is interested any more.
    if (!undelivered.delete(delivery)) return;
    saved?.delete(delivery.id);
    options.onEnd?.(delivery.raw_body, delivered);
  }

  async function attempt(delivery: Delivery, url: string): Promise<boolean> {
    const number = (delivery.attempts % (options.retryDelaysMs.length + 1)) + 1;
    const body = options.render?.(delivery.raw_body, number, url) ?? delivery.raw_body;
    const signed = faults.hits(faults.current.webhook.wrong_signature) ? `${body} ` : body;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json; charset=utf-8', ...options.sign(signed) },
        body,
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(options.timeoutMs)]),
      });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
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
    }
    if (stop.signal.aborted) return;
    counts.given_up += 1;
    finish(delivery, false);
  }

  /** The reorder fault: hold one back, let the next of its group overtake it, and release it after that. */
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
    whenIdle: async (timeoutMs) => {
      const deadline = performance.now() + timeoutMs;
      while (undelivered.size > 0 && performance.now() < deadline) await delay(5);
      return undelivered.size === 0;
    },
    close: () => {
      stop.abort();
      for (const { timer } of held.values()) clearTimeout(timer);
    },
  };
}

/** Runs at most `limit` of the given things at a time, in the order of asking. */
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
