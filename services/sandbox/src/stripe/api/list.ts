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
}

/** Returns a list that is complete. */
export function wholeList<T>(url: string, data: T[]): ApiList<T> {
  return { object: 'list', data, has_more: false, url };
}

/** Returns one page of a table, newest first. */
export function listOf<T extends { id: string; created?: number }, H>(
  table: Table<T, H>,
  input: Paging & Record<string, unknown>,
  url: string,
  { filters = {}, accepts = () => true }: Listing<T> = {},
): ApiList<T> {
  const { limit = 10, created, starting_after } = input;
  const wanted = Object.entries(input).filter(([name]) => !Object.hasOwn(listParams, name));
  const indexed = wanted.find(([name]) => table.isIndex(name));
  const newestFirst = indexed
    ? table.by(indexed[0], String(indexed[1])).reverse()
    : [...table.all()].reverse().map(({ object }) => object);
  const cursor = starting_after && table.refer(starting_after, 'starting_after');
  const data: T[] = [];
  for (let at = cursor ? newestFirst.indexOf(cursor) + 1 : 0; at < newestFirst.length; at += 1) {
    const object = newestFirst[at]!;
    if (data.length > limit || isBefore(object.created, created)) break;
    const matches = wanted.every(([name, value]) =>
      filters[name] ? filters[name](object, value as never) : table.valueOf(object, name) === value,
    );
    if (matches && accepts(object) && within(object.created, created)) data.push(object);
  }
  return { ...wholeList(url, data.slice(0, limit)), has_more: data.length > limit };
}

/** Whether this object and all older ones lie before the range. */
function isBefore(created = Infinity, { gte = -Infinity, gt = -Infinity }: Paging['created'] = {}) {
  // Calls overlap, so their events can be a little out of order.
  return created < Math.max(gte, gt) - 60;
}

function within(created: number | undefined, range: Paging['created'] = {}): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return (
    created === undefined || (created > gt && created >= gte && created < lt && created <= lte)
  );
}
