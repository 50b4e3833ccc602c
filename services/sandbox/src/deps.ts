import type { SandboxClock } from './clock.ts';
import type { SandboxConfig } from './config.ts';
import type { Faults } from './faults.ts';
import type { Store } from './store.ts';
import type { WebhookSender, WebhookSenderOptions } from './webhook-sender.ts';

/** Dependencies of every feature. */
export interface SandboxDeps {
  config: SandboxConfig;
  store: Store;
  clock: SandboxClock;
  faults: Faults;
  webhooks: Webhooks;
  counters: Counters;
}

/** Creates senders, whose deliveries survive a restart and for which a settling clock waits. */
export interface Webhooks {
  create(options: Omit<WebhookSenderOptions, 'faults' | 'store'>): WebhookSender;
  all(): readonly WebhookSender[];
}

/** Counters such as `texts_accepted`. An advance reports their growth and settles until they stop. */
export interface Counters {
  add(name: string, by?: number): void;
  get(name: string): number;
  all(): Readonly<Record<string, number>>;
}
