/** What the journaled store gives for each collection. */
export interface Collection<T> {
  get(id: string): T | undefined;
  put(id: string, value: T): void;
  delete(id: string): void;
  values(): Iterable<T>;
}
export interface CollectionStore {
  collection<T>(name: string): Collection<T>;
}

/** An object as the API shows it, and beside it what only the sandbox knows. */
interface Entry<T, H> {
  seq: number;
  object: T;
  hidden: H;
}

/** Fields by which objects are found without a scan. */
export type Indexes<T> = Record<string, (object: T) => string | null>;

export interface TableOptions<T, H> {
  /** The word in "No such …". */
  label: string;
  indexes?: Indexes<T>;
  /** When, in unix seconds, time alone will change the object next. */
  due?: (object: T, hidden: H) => number | null;
}

export interface Table<T extends { id: string }, H = null> {
  readonly label: string;
  find(id: string): T | undefined;
  hidden(id: string): H;
  /** Stores an object, which must never be changed in place afterwards. */
  save(object: T, hidden: H): T;
  remove(id: string): void;
  /** Ids in the order of creation. */
  ids(): readonly string[];
  idsBy(index: string, value: string): readonly string[];
  /** Objects of an index in the order of creation. */
  by(index: string, value: string): T[];
  /** Position in the order of creation. */
  sequence(id: string): number | undefined;
  dueAt(id: string): number | null;
  /** Reads everything anew from the store. */
  load(): void;
}

/** Called whenever an object's due instant may have changed. */
export type DueListener = (table: string, id: string, at: number | null) => void;

/** Opens a table over a stored collection and builds its indexes. */
export function openTable<T extends { id: string }, H = null>(
  store: CollectionStore,
  name: string,
  options: TableOptions<T, H>,
  onDue: DueListener,
): Table<T, H> {
  const rows = store.collection<Entry<T, H>>(`stripe_${name}`);
  const indexes = options.indexes ?? {};
  const buckets = new Map<string, string[]>();
  let order: string[] = [];
  let nextSeq = 0;

  const bucketKeys = (object: T): string[] =>
    Object.entries(indexes).flatMap(([index, keyOf]) => {
      const value = keyOf(object);
      return value === null ? [] : [`${index}\n${value}`];
    });
  const dueOf = (entry: Entry<T, H>) => options.due?.(entry.object, entry.hidden) ?? null;
  const seqOf = (id: string) => rows.get(id)!.seq;
  /** An object that enters an index late still stands where its creation puts it. */
  const fill = (key: string, id: string) => {
    const bucket = buckets.get(key);
    if (!bucket) {
      buckets.set(key, [id]);
      return;
    }
    let at = bucket.length;
    while (at > 0 && seqOf(bucket[at - 1]!) > seqOf(id)) at -= 1;
    bucket.splice(at, 0, id);
  };
  const drop = (ids: string[], id: string) => {
    const at = ids.indexOf(id);
    if (at >= 0) ids.splice(at, 1);
  };
  const reindex = (before: T, after: T) => {
    const old = bucketKeys(before);
    const now = bucketKeys(after);
    for (const key of old) if (!now.includes(key)) drop(buckets.get(key) ?? [], after.id);
    for (const key of now) if (!old.includes(key)) fill(key, after.id);
  };

  const table: Table<T, H> = {
    label: options.label,
    find: (id) => rows.get(id)?.object,
    hidden(id) {
      const entry = rows.get(id);
      if (!entry) throw new Error(`${name} ${id} is not stored`);
      return entry.hidden;
    },
    save(object, hidden) {
      const before = rows.get(object.id);
      const entry = { seq: before?.seq ?? nextSeq++, object, hidden };
      rows.put(object.id, entry);
      if (before) reindex(before.object, object);
      else {
        order.push(object.id);
        for (const key of bucketKeys(object)) fill(key, object.id);
      }
      onDue(name, object.id, dueOf(entry));
      return object;
    },
    remove(id) {
      const entry = rows.get(id);
      if (!entry) return;
      rows.delete(id);
      drop(order, id);
      for (const key of bucketKeys(entry.object)) drop(buckets.get(key) ?? [], id);
      onDue(name, id, null);
    },
    ids: () => order,
    idsBy: (index, value) => buckets.get(`${index}\n${value}`) ?? [],
    by: (index, value) => table.idsBy(index, value).map((id) => rows.get(id)!.object),
    sequence: (id) => rows.get(id)?.seq,
    dueAt(id) {
      const entry = rows.get(id);
      return entry ? dueOf(entry) : null;
    },
    load() {
      buckets.clear();
      const entries = [...rows.values()].sort((a, b) => a.seq - b.seq);
      order = entries.map((entry) => entry.object.id);
      nextSeq = (entries.at(-1)?.seq ?? -1) + 1;
      for (const entry of entries) {
        for (const key of bucketKeys(entry.object)) fill(key, entry.object.id);
        const at = dueOf(entry);
        if (at !== null) onDue(name, entry.object.id, at);
      }
    },
  };
  table.load();
  return table;
}
