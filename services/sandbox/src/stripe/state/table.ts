import type { Store } from '../../store.ts';
import { missingObject, missingReference } from '../api/stripe-error.ts';

/** An object as the API shows it, and the sandbox's own data about it. */
interface Entry<T, H> {
  seq: number;
  object: T;
  hidden: H;
}

export interface TableOptions<T, H> {
  /** The word in "No such …". */
  label: string;
  /** Fields, and computed values, by which objects are found without a scan. */
  fields?: readonly (keyof T & string)[];
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
  /** Stores an object, which must not be changed in place afterwards. `hidden` stays unless given. */
  save(object: T, hidden?: H): T;
  remove(id: string): void;
  ids(): readonly string[];
  isIndex(name: string): boolean;
  /** The value by which an object is filtered: that of an index, or a field. */
  valueOf(object: T, name: string): unknown;
  idsBy(index: string, value: string): readonly string[];
  /** Objects of an index in the order of creation. */
  by(index: string, value: string): T[];
  /** Position in the order of creation. */
  sequence(id: string): number;
  dueAt(id: string): number | null;
  /** Reads the stored collection again. */
  load(): void;
}

/** Opens a table over a stored collection and builds its indexes. */
export function openTable<T extends { id: string }, H = null>(
  store: Store,
  name: string,
  { label, fields = [], indexes: computed = {}, due }: TableOptions<T, H>,
  onDue: (id: string, at: number) => void,
): Table<T, H> {
  const indexes: NonNullable<TableOptions<T, H>['indexes']> = { ...computed };
  for (const field of fields) indexes[field] = (object) => object[field] as string | null;
  const rows = store.collection<Entry<T, H>>(`stripe_${name}`);
  const buckets = new Map<string, string[]>();
  let order: string[] = [];
  let nextSeq = 0;

  const bucketKeys = (object: T): string[] =>
    Object.entries(indexes)
      .map(([index, keyOf]) => [index, keyOf(object)])
      .filter(([, value]) => value !== null)
      .map((pair) => pair.join('\n'));
  const entryOf = (id: string): Entry<T, H> => {
    const entry = rows.get(id);
    if (!entry) throw new Error(`${name} ${id} is not stored`);
    return entry;
  };
  const announce = (entry: Entry<T, H>) => {
    const at = due?.(entry.object, entry.hidden) ?? null;
    if (at !== null) onDue(entry.object.id, at);
  };
  /** Inserts an id into an index in creation order. */
  const fill = (key: string, id: string) => {
    const bucket = buckets.get(key) ?? [];
    buckets.set(key, bucket);
    let at = bucket.length;
    while (at > 0 && entryOf(bucket[at - 1]!).seq > entryOf(id).seq) at -= 1;
    bucket.splice(at, 0, id);
  };
  const drop = (ids: string[] | undefined, id: string) => {
    const at = ids?.indexOf(id) ?? -1;
    if (at >= 0) ids!.splice(at, 1);
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
      const seq = known?.seq ?? nextSeq++;
      const entry = { seq, object, hidden: hidden ?? known?.hidden ?? (null as H) };
      rows.put(object.id, entry);
      if (!known) order.push(object.id);
      const old = known ? bucketKeys(known.object) : [];
      const now = bucketKeys(object);
      for (const key of old) if (!now.includes(key)) drop(buckets.get(key), object.id);
      for (const key of now) if (!old.includes(key)) fill(key, object.id);
      announce(entry);
      return object;
    },
    remove(id) {
      for (const key of bucketKeys(entryOf(id).object)) drop(buckets.get(key), id);
      rows.delete(id);
      drop(order, id);
    },
    ids: () => order,
    isIndex: (index) => Object.hasOwn(indexes, index),
    valueOf: (object, field) =>
      indexes[field] ? indexes[field](object) : (object as Record<string, unknown>)[field],
    idsBy: (index, value) => buckets.get(`${index}\n${value}`) ?? [],
    by: (index, value) => table.idsBy(index, value).map((id) => entryOf(id).object),
    sequence: (id) => entryOf(id).seq,
    dueAt(id) {
      const entry = rows.get(id);
      return (entry && due?.(entry.object, entry.hidden)) ?? null;
    },
    load() {
      buckets.clear();
      const entries = [...rows.values()].sort((a, b) => a.seq - b.seq);
      order = entries.map((entry) => entry.object.id);
      nextSeq = (entries.at(-1)?.seq ?? -1) + 1;
      for (const entry of entries) {
        for (const key of bucketKeys(entry.object)) fill(key, entry.object.id);
        announce(entry);
      }
    },
  };
  table.load();
  return table;
}
