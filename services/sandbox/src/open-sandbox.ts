import { buildApp } from './app.ts';
import { openClock } from './clock.ts';
import type { SandboxConfig } from './config.ts';
import type { Counters, SandboxDeps, Webhooks } from './deps.ts';
import { openFaults } from './faults.ts';
import { startMailServer } from './mail/mail.ts';
import { openStore, type Store } from './store.ts';
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts';

export interface Sandbox {
  deps: SandboxDeps;
  address: string;
  smtpPort: number;
  close(): Promise<void>;
}

/** Opens the store, the HTTP and SMTP servers, and starts the clock. */
export async function openSandbox(config: SandboxConfig): Promise<Sandbox> {
  const store = await openStore(config.DATA_DIR);
  const faults = openFaults(store);
  const start = config.CLOCK_START === undefined ? undefined : new Date(config.CLOCK_START);
  const deps: SandboxDeps = {
    config,
    store,
    faults,
    clock: openClock(store, start),
    webhooks: createWebhooks(store, faults),
    counters: createCounters(store),
  };
  const app = await buildApp(deps);
  const mail = await startMailServer(deps);
  const address = await app.listen({ port: config.PORT, host: config.HOST });
  const time = deps.clock.start((error) => app.log.error({ err: error }, 'engine failed'));
  return {
    deps,
    address,
    smtpPort: mail.port,
    close: async () => {
      time.stop();
      await app.close();
      await mail.close();
      for (const sender of deps.webhooks.all()) sender.close();
      await store.close();
    },
  };
}

function createWebhooks(store: Store, faults: SandboxDeps['faults']): Webhooks {
  const senders: WebhookSender[] = [];
  return {
    create: (options) => {
      const sender = createWebhookSender({ ...options, faults, store });
      senders.push(sender);
      return sender;
    },
    all: () => senders,
  };
}

function createCounters(store: Store): Counters {
  const counts = new Map<string, number>();
  store.onReset(() => counts.clear());
  return {
    add: (name, by = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + by);
    },
    get: (name) => counts.get(name) ?? 0,
    all: () => Object.fromEntries(counts),
  };
}
