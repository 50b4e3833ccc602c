import type { SandboxDeps } from '../deps.ts';
import type { Lookup } from './number-lookup.ts';
import { createReceipts, createTelnyxWebhooks } from './receipts.ts';
import { refusal } from './telnyx-errors.ts';
import { openTextLog } from './texts.ts';

/** A block rule of the messaging profile. Only a text from the phone lifts it. */
export interface OptOut {
  from: string;
  keyword: string;
  created_at: string;
}

/** The first send with an Idempotency-Key. */
interface Replay {
  body_hash: string;
  text_id: string;
}

/** The longest wait in the provider's queue; a text that would wait longer is rejected. */
const QUEUE_MAX_MS = 4 * 3_600_000;

export type Telnyx = ReturnType<typeof openTelnyx>;

/** Opens the provider's state. Its receipts continue after a restart. */
export function openTelnyx(deps: SandboxDeps) {
  const { clock, faults, store } = deps;
  const webhooks = createTelnyxWebhooks(deps);
  const texts = openTextLog(store);
  const receipts = createReceipts(deps, texts, webhooks);
  let nextFreeMs = 0;
  let calls: number[] = [];
  clock.register(receipts.engine);
  store.onReset(() => {
    texts.clear();
    receipts.clear();
    nextFreeMs = 0;
    calls = [];
  });
  return {
    texts,
    receipts,
    webhooks,
    optOuts: store.collection<OptOut>('opt_outs'),
    lookups: store.collection<Lookup>('lookups'),
    replays: store.collection<Replay>('idempotent_sends'),
    /** Takes the next free slot to the carriers and returns its instant in the product's time. */
    takePlace: () => {
      const nowMs = clock.now().getTime();
      const atMs = Math.max(nowMs, nextFreeMs);
      if (atMs - nowMs > QUEUE_MAX_MS) throw refusal('40318', 'The message queue is full.');
      nextFreeMs = atMs + 1_000 / faults.current.telnyx.sends_per_second;
      return Math.round(atMs);
    },
    /** Counts an API call of this second and returns how many are left, or -1 above the limit. */
    takeCall: () => {
      const nowMs = performance.now();
      while (calls[0] !== undefined && nowMs - calls[0] >= 1_000) calls.shift();
      const left = faults.current.telnyx.rate_limit_per_second - calls.length - 1;
      if (left >= 0) calls.push(nowMs);
      return left;
    },
  };
}
