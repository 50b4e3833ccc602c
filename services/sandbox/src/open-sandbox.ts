import { buildApp } from './app.ts';
import { openClock } from './clock.ts';
import type { SandboxConfig } from './config.ts';
import { createCounters, createWebhooks, type SandboxDeps } from './deps.ts';
import { openFaults } from './faults.ts';
import { startMailServer } from './mail/mail.ts';
import { openStore } from './store.ts';

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/** Opens the store, the HTTP and SMTP servers, and starts the clock. */
export async function openSandbox(config: SandboxConfig) {
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
