import { createReadStream } from 'node:fs';
import { mkdir, open, rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createJournalWriter, type JournalWriter } from './journal-writer.ts';

/** A named map with every change in the journal. After a change in place, `put` the value again. */
export interface Collection<T> {
  get(id: string): T | undefined;
  put(id: string, value: T): void;
  delete(id: string): void;
  /** In the order in which the ids were first put. */
  values(): IterableIterator<T>;
  readonly size: number;
}

type Maps = Map<string, Map<string, unknown>>;
/** `[collection, id, value]`, or without a value if the id was deleted. */
type Entry = [collection: string, id: string, value?: unknown];

const COMPACT_ABOVE_LINES = 5_000;

export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * Maps in memory with an append-only journal on disk. Changes reach the disk within milliseconds. Await `flush()` before
 * responding to a caller, so a kill -9 loses nothing that was acknowledged. Opening it replays the journal, cuts off a
 * torn last line, and compacts it if needed.
 */
export async function openStore(dir: string) {
  await mkdir(dir, { recursive: true });
  const path = join(dir, 'journal.jsonl');
  const maps: Maps = new Map();
  const lines = await replay(path, maps);
  const live = [...maps.values()].reduce((sum, map) => sum + map.size, 0);
  if (lines > COMPACT_ABOVE_LINES && lines > live * 2) await rewrite(path, maps);
  const writer = await createJournalWriter(path);
  const listeners: (() => void)[] = [];
  return {
    collection: <T>(name: string) => createCollection<T>(name, mapOf(maps, name), writer),
    /** Resolves once everything put so far is on the disk. */
    flush: writer.flush,
    close: writer.close,
    /** Empties every collection; the handles stay valid. */
    reset: async () => {
      for (const map of maps.values()) map.clear();
      await writer.truncate();
      for (const listener of listeners) listener();
      await writer.flush();
    },
    /** Registers a listener that clears state kept outside the collections. */
    onReset: (listener: () => void) => listeners.push(listener),
  };
}

function mapOf(maps: Maps, name: string): Map<string, unknown> {
  let map = maps.get(name);
  if (map === undefined) {
    map = new Map();
    maps.set(name, map);
  }
  return map;
}

function createCollection<T>(
  name: string,
  map: Map<string, unknown>,
  writer: JournalWriter,
): Collection<T> {
  return {
    get: (id) => map.get(id) as T | undefined,
    put: (id, value) => {
      map.set(id, value);
      writer.append(JSON.stringify([name, id, value] satisfies Entry));
    },
    delete: (id) => {
      if (map.delete(id)) writer.append(JSON.stringify([name, id] satisfies Entry));
    },
    values: () => map.values() as IterableIterator<T>,
    get size() {
      return map.size;
    },
  };
}

/** Reads whole lines only: what follows the last line feed was never acknowledged. */
async function replay(path: string, maps: Maps): Promise<number> {
  const file = await open(path, 'a');
  const { size } = await file.stat();
  await file.close();
  let lines = 0;
  let goodBytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    let buffer: Buffer = Buffer.concat([rest, chunk as Buffer]);
    for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10)) {
      apply(buffer.toString('utf8', 0, end), maps, lines + 1);
      lines += 1;
      goodBytes += end + 1;
      buffer = buffer.subarray(end + 1);
    }
    rest = buffer;
  }
  if (goodBytes < size) await truncate(path, goodBytes);
  return lines;
}

function apply(line: string, maps: Maps, number: number): void {
  let entry: Entry;
  try {
    entry = JSON.parse(line) as Entry;
  } catch {
    throw new Error(
      `The sandbox journal is damaged at line ${number}. Start with --fresh, or remove its folder.`,
    );
  }
  const [collection, id, value] = entry;
  if (entry.length === 2) mapOf(maps, collection).delete(id);
  else mapOf(maps, collection).set(id, value);
}

/** Writes the live entries to a second file and renames it, so a kill loses neither. */
async function rewrite(path: string, maps: Maps): Promise<void> {
  const fresh = await open(`${path}.compact`, 'w');
  for (const [name, map] of maps) {
    let text = '';
    for (const [id, value] of map) {
      text += `${JSON.stringify([name, id, value] satisfies Entry)}\n`;
      if (text.length > 1 << 20) {
        await fresh.appendFile(text);
        text = '';
      }
    }
    await fresh.appendFile(text);
  }
  await fresh.sync();
  await fresh.close();
  await rename(`${path}.compact`, path);
}
