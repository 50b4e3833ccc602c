import type { Table } from '../state/table.ts';
import { type Input, listParams } from './params.ts';

type Paging = Input<typeof listParams>;

export interface ApiList<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export interface Listing<T> {
  /** Filters that are more than equality with a field or an index. */
  filters?: Record<string, (object: T, wanted: never) => boolean>;
  accepts?: (object: T) => boolean;
  show?: (object: T) => object;
}

/** Returns a list that is complete. */
export function wholeList<T>(url: string, data: T[]): ApiList<T> {
  return { object: 'list', data, has_more: false, url };
}

/** Returns one page of a table, newest first, reading only as far as the page needs. */
export function listOf<T extends { id: string; created?: number }, H>(
  table: Table<T, H>,
  input: Paging & Record<string, unknown>,
  url: string,
  { filters = {}, accepts = () => true, show = (object) => object }: Listing<T> = {},
): ApiList<object> {
  const wanted = Object.entries(input).filter(([name]) => !Object.hasOwn(listParams, name));
  const indexed = wanted.find(([name]) => table.isIndex(name));
  const ids = indexed ? table.idsBy(indexed[0], String(indexed[1])) : table.ids();
  const matches = (object: T) =>
    accepts(object) &&
    wanted.every(([name, value]) =>
      filters[name] ? filters[name](object, value as never) : table.valueOf(object, name) === value,
    );
  const { limit = 10, created, ending_before } = input;
  const step = ending_before === undefined ? -1 : 1;
  const data: T[] = [];
  for (let at = startOf(table, ids, input); ids[at] && data.length <= limit; at += step) {
    const object = table.find(ids[at]!)!;
    if (step < 0 && isBefore(object.created, created)) break;
    if (within(object.created, created) && matches(object)) data.push(object);
  }
  const has_more = data.length > limit;
  const page = data.slice(0, limit);
  if (step > 0) page.reverse();
  return { ...wholeList(url, page.map(show)), has_more };
}

function startOf<T extends { id: string }, H>(
  table: Table<T, H>,
  ids: readonly string[],
  { starting_after, ending_before }: Paging,
): number {
  const cursor = starting_after ?? ending_before;
  if (cursor === undefined) return ids.length - 1;
  const param = starting_after === undefined ? 'ending_before' : 'starting_after';
  const sequence = table.sequence(table.refer(cursor, param).id);
  const first = firstAtLeast(table, ids, sequence);
  if (starting_after !== undefined) return first - 1;
  return ids[first] === cursor ? first + 1 : first;
}

/** Binary search for the first id created at or after a position. */
function firstAtLeast<T extends { id: string }, H>(
  table: Table<T, H>,
  ids: readonly string[],
  sequence: number,
): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table.sequence(ids[middle]!) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether this object and all older ones lie before the range. */
function isBefore(created: number | undefined, range: Paging['created']): boolean {
  const from = range?.gte ?? (range && 'gt' in range ? range.gt : undefined);
  // Events of the engine carry their own instant, which can lie a little behind that of a call.
  return created !== undefined && from !== undefined && created < from - 60;
}

function within(created: number | undefined, range: Paging['created']): boolean {
  if (!range || created === undefined) return true;
  const {
    gt = -Infinity,
    gte = -Infinity,
    lt = Infinity,
    lte = Infinity,
  } = { ...range } as {
    [bound in 'gt' | 'gte' | 'lt' | 'lte']?: number;
  };
  return created > gt && created >= gte && created < lt && created <= lte;
}
