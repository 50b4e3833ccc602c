import type { Store } from '../../store.ts';
import { missingObject, missingReference } from '../api/stripe-error.ts';

/** An object as the API shows it, and the sandbox's own data about it. */
interface Entry<T, H> {
  object: T;
  hidden: H;
}

export interface TableOptions<T, H> {
  /** The word in "No such …". */
  label: string;
  /** Values by which objects are found without a scan. */
  indexes?: Record<string, (object: T) => string | null>;
  /** Returns the unix time at which the object changes by itself, or null. */
  due?: (object: T, hidden: H) => number | null;
}

export interface Table<T extends { id: string }, H = null> {
  find(id: string): T | undefined;
  /** The object that the path names; an unknown id is a 404. */
  get(id: string): T;
  /** The object that a parameter names; an unknown id is a 400. */
  refer(id: string, param: string): T;
  hidden(id: string): H;
  /** Stores an object. It must not be changed in place afterward. `hidden` stays unless given. */
  save(object: T, hidden?: H): T;
  remove(id: string): void;
  /** All objects, oldest first. */
  all(): IterableIterator<Entry<T, H>>;
  isIndex(name: string): boolean;
  /** The value by which an object is filtered: that of an index, or a field. */
  valueOf(object: T, name: string): unknown;
  /** Objects of an index, oldest first. */
  by(index: string, value: string): T[];
  dueAt(id: string): number | null;
  /** Reads the stored collection again. */
  load(): void;
}

/** Opens a table over a stored collection and builds its indexes. */
export function openTable<T extends { id: string }, H = null>(
  store: Store,
  name: string,
  { label, indexes = {}, due }: TableOptions<T, H>,
  onDue: (id: string, at: number) => void,
): Table<T, H> {
  const rows = store.collection<Entry<T, H>>(`stripe_${name}`);
  const buckets = new Map<string, Set<string>>();

  const bucketsOf = (object: T): Set<string>[] =>
    Object.entries(indexes).map(([index, keyOf]) => {
      const key = `${index}\n${keyOf(object)}`;
      const bucket = buckets.get(key) ?? new Set();
      buckets.set(key, bucket);
      return bucket;
    });
  const entryOf = (id: string): Entry<T, H> => {
    const entry = rows.get(id);
    if (!entry) throw new Error(`${name} ${id} is not stored`);
    return entry;
  };
  const dueOf = ({ object, hidden }: Entry<T, H>) => due?.(object, hidden) ?? null;
  const announce = (entry: Entry<T, H>) => {
    const at = dueOf(entry);
    if (at !== null) onDue(entry.object.id, at);
  };

  const table: Table<T, H> = {
    find: (id) => rows.get(id)?.object,
    get(id) {
      const object = table.find(id);
      if (!object) throw missingObject(label, id);
      return object;
    },
    refer(id, param) {
      const object = table.find(id);
      if (!object) throw missingReference(label, id, param);
      return object;
    },
    hidden: (id) => entryOf(id).hidden,
    save(object, hidden) {
      const known = rows.get(object.id);
      const entry = { object, hidden: hidden ?? known?.hidden ?? (null as H) };
      const old = known ? bucketsOf(known.object) : [];
      const next = bucketsOf(object);
      for (const bucket of old) if (!next.includes(bucket)) bucket.delete(object.id);
      for (const bucket of next) bucket.add(object.id);
      rows.put(object.id, entry);
      announce(entry);
      return object;
    },
    remove(id) {
      for (const bucket of bucketsOf(entryOf(id).object)) bucket.delete(id);
      rows.delete(id);
    },
    all: () => rows.values(),
    isIndex: (index) => Object.hasOwn(indexes, index),
    valueOf: (object, field) =>
      indexes[field] ? indexes[field](object) : (object as Record<string, unknown>)[field],
    by: (index, value) =>
      [...(buckets.get(`${index}\n${value}`) ?? [])].map((id) => entryOf(id).object),
    dueAt(id) {
      const entry = rows.get(id);
      return entry ? dueOf(entry) : null;
    },
    load() {
      buckets.clear();
      for (const entry of rows.values()) {
        for (const bucket of bucketsOf(entry.object)) bucket.add(entry.object.id);
        announce(entry);
      }
    },
  };
  table.load();
  return table;
}
