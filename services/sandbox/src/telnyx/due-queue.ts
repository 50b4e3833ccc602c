interface Item<T> {
  atMs: number;
  order: number;
  value: T;
}

/** Things to do at instants, earliest first; among equals the one added first. A binary heap. */
export class DueQueue<T> {
  #items: Item<T>[] = [];
  #added = 0;

  get size(): number {
    return this.#items.length;
  }

  nextAtMs(): number | null {
    return this.#items[0]?.atMs ?? null;
  }

  add(atMs: number, value: T): void {
    const items = this.#items;
    const item = { atMs, order: this.#added++, value };
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes the earliest that is due at that instant. */
  takeDue(nowMs: number): T | undefined {
    const first = this.#items[0];
    if (first === undefined || first.atMs > nowMs) return undefined;
    const last = this.#items.pop()!;
    if (this.#items.length > 0) this.#sink(last);
    return first.value;
  }

  /** How many are due at that instant. */
  countDue(nowMs: number): number {
    return this.#items.reduce((count, item) => (item.atMs <= nowMs ? count + 1 : count), 0);
  }

  clear(): void {
    this.#items = [];
  }

  #sink(item: Item<T>): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child += 1;
      if (!isBefore(items[child]!, item)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  }
}

function isBefore<T>(one: Item<T>, other: Item<T>): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
