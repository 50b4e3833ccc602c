import type { SandboxDeps } from '../deps.ts';
import { createEngine } from './engine.ts';
import { type Act, beginAct, type Cause } from './state/act.ts';
import { openTables } from './state/tables.ts';
import { createDispatcher } from './webhooks/dispatch.ts';

export type Stripe = ReturnType<typeof openStripe>;

/** Opens the emulated account: its state, its time and its webhooks. Registers its engine with the clock. */
export function openStripe(deps: SandboxDeps) {
  const { clock, config, faults, store } = deps;
  const tables = openTables(store);
  let origin = config.SANDBOX_PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  const settings = {
    dials: () => faults.current.stripe,
    origin: () => origin,
  };
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  let latest = [...tables.events.all()].at(-1)?.object.created ?? 0;
  /** Acts come in order, even after a restart, although the announcement of a shortened trial is due in the past. */
  const begin = (at: number, cause: Cause): Act => {
    latest = Math.max(latest, at);
    return beginAct(tables, settings, latest, cause);
  };
  const dispatcher = createDispatcher(deps, tables);
  const engine = createEngine({
    tables,
    dispatcher,
    begin: (at) => begin(at, null),
    flush: () => store.flush(),
  });
  clock.register(engine);
  dispatcher.resume();
  store.onReset(() => tables.reload());
  return {
    tables,
    /** Starts an act at the current time, after everything due has happened. */
    begin: async (cause: Cause) => {
      await engine.runUntil(clock.now());
      return begin(seconds(), cause);
    },
    /** Writes an act's changes and its unsent events to the disk. */
    commit: async (act: Act) => {
      dispatcher.note(act.events);
      await store.flush();
    },
    send: dispatcher.send,
    /** Records the address at which a caller reached this server. */
    seenAt: (seen: string) => {
      if (config.SANDBOX_PUBLIC_URL === undefined) origin = seen;
    },
  };
}
