import TinyQueue from 'tinyqueue';

interface Item<T> {
  at: number;
  order: number;
  value: T;
}

/** A priority queue of things to do at an instant: earliest first, then first added. */
export class DueQueue<T> {
  #added = 0;
  #queue = this.#empty();

  #empty() {
    return new TinyQueue<Item<T>>([], (one, other) => one.at - other.at || one.order - other.order);
  }

  peek(): Item<T> | undefined {
    return this.#queue.peek();
  }

  add(at: number, value: T): void {
    this.#queue.push({ at, order: this.#added++, value });
  }

  pop(): void {
    this.#queue.pop();
  }

  /** Returns how many are due at that instant. */
  countDue(at: number): number {
    return this.#queue.data.filter((item) => item.at <= at).length;
  }

  clear(): void {
    this.#queue = this.#empty();
  }
}
