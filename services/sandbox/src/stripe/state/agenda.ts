/** One thing that time alone will bring about. */
export interface Appointment {
  at: number;
  table: string;
  id: string;
}

/** The earliest-first list of what is due when, as a binary heap. */
export interface Agenda {
  set(appointment: Appointment): void;
  /** The next one, if `isCurrent` still holds for it; outdated ones are thrown away on the way. */
  peek(isCurrent: (appointment: Appointment) => boolean): Appointment | null;
  pop(): void;
  clear(): void;
}

interface Node extends Appointment {
  turn: number;
}

/** An appointment is never changed in the heap: the new one is added, the old one found outdated later. */
export function createAgenda(): Agenda {
  const heap: Node[] = [];
  let turn = 0;
  const before = (a: Node, b: Node) => a.at < b.at || (a.at === b.at && a.turn < b.turn);

  function rise(from: number): void {
    let child = from;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!before(heap[child]!, heap[parent]!)) return;
      [heap[child], heap[parent]] = [heap[parent]!, heap[child]!];
      child = parent;
    }
  }
  function sink(): void {
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      const right = left + 1;
      let least = parent;
      if (left < heap.length && before(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && before(heap[right]!, heap[least]!)) least = right;
      if (least === parent) return;
      [heap[parent], heap[least]] = [heap[least]!, heap[parent]!];
      parent = least;
    }
  }
  function pop(): void {
    const last = heap.pop();
    if (last && heap.length > 0) {
      heap[0] = last;
      sink();
    }
  }

  return {
    set(appointment) {
      heap.push({ ...appointment, turn: turn++ });
      rise(heap.length - 1);
    },
    peek(isCurrent) {
      while (heap[0] && !isCurrent(heap[0])) pop();
      return heap[0] ?? null;
    },
    pop,
    clear() {
      heap.length = 0;
    },
  };
}
