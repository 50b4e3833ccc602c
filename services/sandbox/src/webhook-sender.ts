import { setTimeout as delay } from 'node:timers/promises';
import type { Faults } from './faults.ts';
import { createWebhookClient } from './webhook-request.ts';

export interface WebhookSenderOptions {
  name: string;
  faults: Faults;
  /** Wall-clock pauses between attempts, so there is one more attempt than pauses. */
  retryDelaysMs: readonly number[];
  timeoutMs: number;
  /** Called for each attempt, which carries its own wall-clock timestamp. */
  sign(rawBody: string): Record<string, string>;
  /** Renders the body of an attempt (Telnyx `meta`); default: the body as given. */
  render?(rawBody: string, attempt: number, url: string): string;
}

interface Delivery {
  url: string;
  rawBody: string;
  group: string;
}

const CONCURRENCY = 50;
const HOLD_MS = 700;

export type WebhookSender = ReturnType<typeof createWebhookSender>;

/** Delivers signed events: concurrently, with retries, and with the faults of the dials. */
export function createWebhookSender(options: WebhookSenderOptions) {
  const { faults } = options;
  const undelivered = new Set<Delivery>();
  /** Releases the delivery that the reorder fault holds back, by group. */
  const held = new Map<string, () => void>();
  const counts = { delivered: 0, failed_attempts: 0, given_up: 0, dropped: 0 };
  const stop = new AbortController();
  const client = createWebhookClient(options.timeoutMs);
  const lanes = createLanes(CONCURRENCY);
  const pause = (ms: number) =>
    delay(ms, undefined, { signal: stop.signal }).catch(() => undefined);

  async function attempt({ url, rawBody }: Delivery, number: number): Promise<boolean> {
    const body = options.render?.(rawBody, number, url) ?? rawBody;
    const signed = faults.hits(faults.current.webhook.wrong_signature) ? `${body} ` : body;
    const status = await client.post(url, options.sign(signed), body);
    return status !== null && status >= 200 && status < 300;
  }

  async function deliver(delivery: Delivery): Promise<boolean | null> {
    for (const [failed, pauseMs] of [...options.retryDelaysMs, 0].entries()) {
      if (!undelivered.has(delivery) || stop.signal.aborted) return null;
      const delivered = await lanes(() => attempt(delivery, failed + 1));
      if (!undelivered.has(delivery)) return null;
      if (delivered) {
        counts.delivered += 1;
        undelivered.delete(delivery);
        return true;
      }
      if (stop.signal.aborted) return null;
      counts.failed_attempts += 1;
      await pause(pauseMs);
    }
    counts.given_up += 1;
    undelivered.delete(delivery);
    return false;
  }

  /** Applies the delay and the reorder fault, which holds one back until the next of its group is delivered. */
  async function start(delivery: Delivery): Promise<boolean | null> {
    undelivered.add(delivery);
    const { delay_ms, reorder } = faults.current.webhook;
    if (delay_ms > 0) await pause(delay_ms);
    const { group } = delivery;
    const release = held.get(group);
    if (release !== undefined) {
      const result = await deliver(delivery);
      release();
      return result;
    }
    if (faults.hits(reorder)) {
      await new Promise<void>((resolve) => {
        held.set(group, resolve);
        setTimeout(resolve, HOLD_MS).unref();
      });
      held.delete(group);
    }
    return deliver(delivery);
  }

  return {
    name: options.name,
    counts,
    /**
     * Sends an event. Resolves with whether it was delivered, or with null if a stop or a reset came first.
     * The reorder fault swaps within a group, such as one message.
     */
    send: async (url: string, rawBody: string, group = url): Promise<boolean | null> => {
      const { webhook } = faults.current;
      if (faults.hits(webhook.drop)) {
        counts.dropped += 1;
        return false;
      }
      const copies = faults.hits(webhook.duplicate) ? webhook.duplicate_copies : 0;
      const [result] = await Promise.all(
        Array.from({ length: copies + 1 }, () => start({ url, rawBody, group })),
      );
      return result!;
    },
    /** Returns the number of undelivered events, including those that wait for a retry. */
    pending: () => undelivered.size,
    clear: () => undelivered.clear(),
    close: () => {
      stop.abort();
      client.close();
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
