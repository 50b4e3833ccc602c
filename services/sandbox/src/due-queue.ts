interface Item<T> {
  at: number;
  order: number;
  value: T;
}

/** A priority queue (binary heap) of things to do at an instant: earliest first, then first added. */
export class DueQueue<T> {
  #items: Item<T>[] = [];
  #added = 0;

  peek(): Item<T> | undefined {
    return this.#items[0];
  }

  add(at: number, value: T): void {
    const items = this.#items;
    const item = { at, order: this.#added++, value };
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(item, items[parent]!)) break;
      items[place] = items[parent]!;
      place = parent;
    }
    items[place] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first?.value;
    let place = 0;
    for (let child = 1; child < items.length; child = place * 2 + 1) {
      if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child += 1;
      if (!isBefore(items[child]!, last)) break;
      items[place] = items[child]!;
      place = child;
    }
    items[place] = last;
    return first!.value;
  }

  /** Returns how many are due at that instant. */
  countDue(at: number): number {
    return this.#items.filter((item) => item.at <= at).length;
  }

  clear(): void {
    this.#items = [];
  }
}

function isBefore<T>(one: Item<T>, other: Item<T>): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
