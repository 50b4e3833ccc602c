import type { Engine } from '../clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { createEngine } from './engine.ts';
import { type Act, API_VERSION, beginAct, type Cause, type Settings } from './state/act.ts';
import type { StoredEvent } from './state/tables.ts';
import { openTables, type Tables } from './state/tables.ts';
import { CONFIGURED_ENDPOINT, createDispatcher, type Dispatcher } from './webhooks/dispatch.ts';

const DRAFT_SECONDS = 3600;

/** The emulated account: its state, its time and its webhooks. */
export interface Stripe {
  tables: Tables;
  settings: Settings;
  dispatcher: Dispatcher;
  engine: Engine;
  /** Begins an act at the present, after everything that is due by now has happened. */
  begin(cause: Cause): Promise<Act>;
  /** Puts an act's changes on the disk. Its events are noted, and go out with `send`. */
  commit(act: Act): Promise<void>;
  /** Hands events over; resolves when all are delivered or given up. */
  send(events: readonly StoredEvent[]): Promise<void>;
  /** The address under which a browser was last seen to reach this server. */
  seenAt(origin: string): void;
}

/** Opens the account from the store and lets the clock run its engine. */
export function openStripe(deps: SandboxDeps): Stripe {
  const { clock, config, faults, store } = deps;
  const tables = openTables(store);
  let origin = config.SANDBOX_PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  const settings: Settings = {
    retry_days: () => faults.current.stripe.retry_days,
    draft_seconds: DRAFT_SECONDS,
    trial_payment_status: () => faults.current.stripe.trial_payment_status,
    charge_decline: () => faults.current.stripe.charge_decline ?? null,
    origin: () => origin,
  };
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  configureEndpoint(deps, tables, seconds());
  const dispatcher = createDispatcher(deps, tables, (id) =>
    id === CONFIGURED_ENDPOINT
      ? config.STRIPE_WEBHOOK_SECRET
      : (tables.webhookEndpoints.find(id)?.secret ?? ''),
  );
  const engine = createEngine({
    tables,
    dispatcher,
    begin: (at) => beginAct(tables, settings, at, null),
    flush: () => store.flush(),
  });
  clock.register(engine);
  resume(tables, dispatcher);
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
    send: (events) => dispatcher.send(events),
    seenAt: (seen) => {
      if (config.SANDBOX_PUBLIC_URL === undefined) origin = seen;
    },
  };
}

/** The endpoint of the configuration is always there, at the address that is configured now. */
function configureEndpoint({ config }: SandboxDeps, tables: Tables, at: number): void {
  const known = tables.webhookEndpoints.find(CONFIGURED_ENDPOINT);
  if (known?.url === config.STRIPE_WEBHOOK_URL) return;
  tables.webhookEndpoints.save(
    {
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
    },
    null,
  );
}

/** Goes on with what a stop left: open deliveries, and events that were noted and not handed over. */
function resume(tables: Tables, dispatcher: Dispatcher): void {
  for (const id of tables.webhookEndpoints.ids()) dispatcher.open(id);
  void dispatcher.send(dispatcher.left());
}
