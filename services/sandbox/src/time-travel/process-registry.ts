import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../store.ts';

/** The response of a process to POST /internal/settle. */
export interface Settled {
  busy: number;
  work: number;
  next_at: string | null;
}

/** A process that follows this clock. Replicas share a name and differ in their address. */
export interface RegisteredProcess {
  name: string;
  /** Processes of a service share its database. */
  service: string;
  settleUrl: string;
  up: boolean;
  last: Settled | null;
}

const ASSEMBLE_MS = 3_000;

export type ProcessRegistry = ReturnType<typeof createProcessRegistry>;

export function createProcessRegistry(store: Store) {
  const startedMs = performance.now();
  const followers = store.collection<{ name: string }>('clock_followers');
  const missing = new Set([...followers.values()].map(({ name }) => name));
  let processes: RegisteredProcess[] = [];
  /** The latest stream of each process. Only its end means that the process is down. */
  const streams = new Map<RegisteredProcess, symbol>();

  function find(name: string, service: string, settleUrl: string): RegisteredProcess {
    const same = processes.find((one) => one.name === name && one.settleUrl === settleUrl);
    if (same !== undefined) return same;
    const fresh: RegisteredProcess = { name, service, settleUrl, up: true, last: null };
    // A process that returns on another port replaces the one of its name that is down.
    const down = processes.findIndex((one) => one.name === name && !one.up);
    if (down === -1) processes = [...processes, fresh];
    else processes = processes.with(down, fresh);
    return fresh;
  }

  return {
    /** Records an open stream and returns the function that ends it. */
    connect: (name: string, service: string, settleUrl: string) => {
      const process = find(name, service, settleUrl);
      const stream = Symbol(name);
      streams.set(process, stream);
      process.up = true;
      missing.delete(name);
      if (followers.get(name) === undefined) followers.put(name, { name });
      return () => {
        if (streams.get(process) !== stream) return;
        streams.delete(process);
        process.up = false;
        // Other replicas report what it left in the database, so no advance waits for it.
        if (processes.some((one) => one.name === name && one.up))
          processes = processes.filter((one) => one !== process);
      };
    },
    /** Returns what other processes have done to its service's database. */
    doneBeside: (process: RegisteredProcess): string =>
      processes
        .filter((one) => one !== process && one.service === process.service)
        .map(({ settleUrl, last }) => `${settleUrl} ${last?.work}`)
        .join(),
    all: (): readonly RegisteredProcess[] => processes,
    forget: (process: RegisteredProcess) => {
      processes = processes.filter((one) => one !== process);
      followers.delete(process.name);
    },
    /** Waits briefly for the processes that followed the clock before a restart of the sandbox. */
    whenAssembled: async () => {
      while (missing.size > 0 && performance.now() - startedMs < ASSEMBLE_MS) await delay(50);
    },
  };
}
