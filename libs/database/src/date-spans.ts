/** Local dates, inclusive. A table has monthly partitions, and only those are read. */
export interface DateSpan {
  from: string;
  until: string;
}

const firstDays = 31;

/**
 * Returns date spans backwards from `until`, each twice as long as the previous one, down to `first`, which is queried
 * only if the first span wasn't enough. So the newest page reads one or two months however long the history is.
 */
export async function* spansBackward(
  until: string,
  first: () => Promise<string | null>,
): AsyncGenerator<DateSpan> {
  let last = Temporal.PlainDate.from(until);
  let days = firstDays;
  let end: string | null | undefined;
  for (;;) {
    const from = last.subtract({ days: days - 1 });
    yield { from: from.toString(), until: last.toString() };
    end ??= await first();
    if (end === null || from.toString() <= end) return;
    last = from.subtract({ days: 1 });
    days *= 2;
  }
}
