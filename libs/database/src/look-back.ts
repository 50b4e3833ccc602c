/** Local dates, the first and the last included: a table has a partition for each month, and only those are read. */
export interface DateSpan {
  from: string;
  until: string;
}

const firstDays = 31;

/**
 * Spans of dates backwards from `until`, each twice as long as the one before, down to `first`, which is only asked for if
 * the first span was not enough. So the newest page reads one or two months however long the history is.
 */
export async function* lookBack(
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
