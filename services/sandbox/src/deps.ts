import type { SandboxClock } from './clock.ts';
import type { SandboxConfig } from './config.ts';
import type { Faults } from './faults.ts';
import type { Store } from './store.ts';
import type { WebhookSender, WebhookSenderOptions } from './webhook-sender.ts';

/** What every feature of the sandbox is built from. */
export interface SandboxDeps {
  config: SandboxConfig;
  store: Store;
  clock: SandboxClock;
  faults: Faults;
  webhooks: Webhooks;
  counters: Counters;
}

/** Every sender made here is waited for when the clock settles, and goes on with what a restart left undelivered. */
export interface Webhooks {
  create(options: Omit<WebhookSenderOptions, 'faults' | 'store'>): WebhookSender;
  all(): readonly WebhookSender[];
}

/** Figures that only grow, such as `texts_accepted`: an advance tells their difference, and settles until they rest. */
export interface Counters {
  add(name: string, by?: number): void;
  get(name: string): number;
  all(): Readonly<Record<string, number>>;
}
