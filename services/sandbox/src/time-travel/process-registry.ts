import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../store.ts';

/** What a process answers to POST /internal/settle. */
export interface Settled {
  busy: number;
  work: number;
  next_at: string | null;
}

/** A process of the product that takes its time from here. Replicas share a name and differ in their address. */
export interface RegisteredProcess {
  name: string;
  settleUrl: string;
  up: boolean;
  last: Settled | null;
}

export interface ProcessRegistry {
  /** A stream was opened; the returned function is for its end. */
  connect(name: string, settleUrl: string): () => void;
  all(): readonly RegisteredProcess[];
  forget(process: RegisteredProcess): void;
  /** After a restart of the sandbox: waits, shortly, for those that followed the clock before it. */
  whenAssembled(): Promise<void>;
}

const ASSEMBLE_MS = 3_000;

export function createProcessRegistry(store: Store): ProcessRegistry {
  const startedMs = performance.now();
  const followers = store.collection<{ name: string }>('clock_followers');
  const missing = new Set([...followers.values()].map(({ name }) => name));
  let processes: RegisteredProcess[] = [];
  /** The latest stream of each process; only its end means that the process is down. */
  const streams = new Map<RegisteredProcess, symbol>();

  function find(name: string, settleUrl: string): RegisteredProcess {
    const same = processes.find((one) => one.name === name && one.settleUrl === settleUrl);
    if (same !== undefined) return same;
    const fresh: RegisteredProcess = { name, settleUrl, up: true, last: null };
    // A process that came back on another port stands for the one of its name that went away.
    const gone = processes.findIndex((one) => one.name === name && !one.up);
    if (gone === -1) processes = [...processes, fresh];
    else processes = processes.with(gone, fresh);
    return fresh;
  }

  return {
    connect: (name, settleUrl) => {
      const process = find(name, settleUrl);
      const stream = Symbol(name);
      streams.set(process, stream);
      process.up = true;
      missing.delete(name);
      if (followers.get(name) === undefined) followers.put(name, { name });
      return () => {
        if (streams.get(process) !== stream) return;
        streams.delete(process);
        process.up = false;
        // What it left is in the database, of which its other replicas tell: nobody has to wait for it.
        if (processes.some((one) => one.name === name && one.up))
          processes = processes.filter((one) => one !== process);
      };
    },
    all: () => processes,
    forget: (process) => {
      processes = processes.filter((one) => one !== process);
      followers.delete(process.name);
    },
    whenAssembled: async () => {
      while (missing.size > 0 && performance.now() - startedMs < ASSEMBLE_MS) await delay(50);
    },
  };
}
