import type { Table } from '../state/table.ts';
import type { TimeRange } from './params.ts';
import { missingReference } from './stripe-error.ts';

export interface ListInput {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
  created?: TimeRange;
}

export interface ApiPage<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/** A list that is whole. */
export function wholeList<T>(url: string, data: T[]): ApiPage<T> {
  return { object: 'list', data, has_more: false, url };
}

/** A page of a table, newest first, walking from the cursor only as far as the page needs. */
export function page<T extends { id: string; created?: number }, H>(
  table: Table<T, H>,
  ids: readonly string[],
  input: ListInput,
  url: string,
  accepts: (object: T) => boolean = () => true,
): ApiPage<T> {
  const limit = input.limit ?? 10;
  const backwards = input.ending_before !== undefined;
  const step = backwards ? 1 : -1;
  let position = startOf(table, ids, input);
  const data: T[] = [];
  for (; position >= 0 && position < ids.length && data.length <= limit; position += step) {
    const object = table.find(ids[position]!)!;
    if (!backwards && isBefore(object.created, input.created)) break;
    if (within(object.created, input.created) && accepts(object)) data.push(object);
  }
  const has_more = data.length > limit;
  data.length = Math.min(data.length, limit);
  return { object: 'list', data: backwards ? data.reverse() : data, has_more, url };
}

function startOf<T extends { id: string }, H>(
  table: Table<T, H>,
  ids: readonly string[],
  input: ListInput,
): number {
  const param = input.starting_after === undefined ? 'ending_before' : 'starting_after';
  const cursor = input[param];
  if (cursor === undefined) return ids.length - 1;
  const sequence = table.sequence(cursor);
  if (sequence === undefined) throw missingReference(table.label, cursor, param);
  const first = firstAtLeast(table, ids, sequence);
  if (param === 'starting_after') return first - 1;
  return ids[first] === cursor ? first + 1 : first;
}

/** Index of the first id created at or after a position; ids are in the order of creation. */
function firstAtLeast<T extends { id: string }, H>(
  table: Table<T, H>,
  ids: readonly string[],
  sequence: number,
): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table.sequence(ids[middle]!)! < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Everything older lies outside the range too. */
function isBefore(created: number | undefined, range: TimeRange | undefined): boolean {
  const from = range?.gte ?? range?.gt;
  // What time brought about carries its own instant, which may be a little behind that of a call.
  return created !== undefined && from !== undefined && created < from - 60;
}

function within(created: number | undefined, range: TimeRange | undefined): boolean {
  if (!range || created === undefined) return true;
  return (
    (range.gt === undefined || created > range.gt) &&
    (range.gte === undefined || created >= range.gte) &&
    (range.lt === undefined || created < range.lt) &&
    (range.lte === undefined || created <= range.lte)
  );
}
