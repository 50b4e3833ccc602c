import type { Engine } from '../clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { createEngine } from './engine.ts';
import { type Act, API_VERSION, beginAct, type Cause, type Settings } from './state/act.ts';
import { openTables, type StoredEvent, type Tables } from './state/tables.ts';
import { CONFIGURED_ENDPOINT, createDispatcher, type Dispatcher } from './webhooks/dispatch.ts';

/** The emulated account: its state, its time and its webhooks. */
export interface Stripe {
  tables: Tables;
  settings: Settings;
  dispatcher: Dispatcher;
  engine: Engine;
  /** Begins an act at the current time, after everything due has happened. */
  begin(cause: Cause): Promise<Act>;
  /** Writes an act's changes and its unsent events to the disk. */
  commit(act: Act): Promise<void>;
  /** Sends events; resolves when all are delivered or abandoned. */
  send(events: readonly StoredEvent[]): Promise<void>;
  /** Records the address at which a caller reached this server. */
  seenAt(origin: string): void;
}

/** Opens the account from the store and registers its engine with the clock. */
export function openStripe(deps: SandboxDeps): Stripe {
  const { clock, config, faults, store } = deps;
  const tables = openTables(store);
  let origin = config.SANDBOX_PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  const settings: Settings = {
    dials: () => faults.current.stripe,
    origin: () => origin,
  };
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  configureEndpoint(deps, tables, seconds());
  const dispatcher = createDispatcher(deps, tables);
  const engine = createEngine({
    tables,
    dispatcher,
    begin: (at) => beginAct(tables, settings, at, null),
    flush: () => store.flush(),
  });
  clock.register(engine);
  dispatcher.resume();
  store.onReset(() => {
    tables.reload();
    configureEndpoint(deps, tables, seconds());
  });
  return {
    tables,
    settings,
    dispatcher,
    engine,
    begin: async (cause) => {
      await engine.runUntil(clock.now());
      return beginAct(tables, settings, seconds(), cause);
    },
    commit: async (act) => {
      dispatcher.note(act.events);
      await store.flush();
    },
    send: dispatcher.send,
    seenAt: (seen) => {
      if (config.SANDBOX_PUBLIC_URL === undefined) origin = seen;
    },
  };
}

/** Stores the endpoint of the configuration, at its present address. */
function configureEndpoint({ config }: SandboxDeps, tables: Tables, at: number): void {
  const known = tables.webhookEndpoints.find(CONFIGURED_ENDPOINT);
  if (known?.url === config.STRIPE_WEBHOOK_URL) return;
  tables.webhookEndpoints.save({
    id: CONFIGURED_ENDPOINT,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: at,
    description: 'Configured by the environment of the sandbox',
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: config.STRIPE_WEBHOOK_URL,
  });
}
