import type { SandboxClock } from './clock.ts';
import type { SandboxConfig } from './config.ts';
import type { Faults } from './faults.ts';
import type { Store } from './store.ts';
import {
  createWebhookSender,
  type WebhookSender,
  type WebhookSenderOptions,
} from './webhook-sender.ts';

/** Dependencies of every feature. */
export interface SandboxDeps {
  config: SandboxConfig;
  store: Store;
  clock: SandboxClock;
  faults: Faults;
  webhooks: ReturnType<typeof createWebhooks>;
  counters: ReturnType<typeof createCounters>;
}

/** Creates senders, for which a settling clock waits. */
export function createWebhooks(store: Store, faults: Faults) {
  const senders: WebhookSender[] = [];
  return {
    create: (options: Omit<WebhookSenderOptions, 'faults'>) => {
      const sender = createWebhookSender({ ...options, faults });
      senders.push(sender);
      store.onReset(() => sender.clear());
      return sender;
    },
    all: (): readonly WebhookSender[] => senders,
  };
}

/** Counters such as `texts_accepted`. An advance reports their growth and settles until they stop. */
export function createCounters(store: Store) {
  const counts = new Map<string, number>();
  store.onReset(() => counts.clear());
  return {
    add: (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1),
    get: (name: string) => counts.get(name) ?? 0,
    all: () => Object.fromEntries(counts),
  };
}
