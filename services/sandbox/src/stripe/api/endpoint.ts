import type { Type } from 'typebox';
import type { Act } from '../state/act.ts';
import type { Table } from '../state/table.ts';
import type { Tables } from '../state/tables.ts';
import { type Listing, listOf } from './list.ts';
import { hash, type Input, list, listParams, optional, text } from './params.ts';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly params: Type.TObject;
  readonly run: (act: Act, input: never, id: string) => object;
}

const expand = optional(list(text));

/** Describes a call. Every call also takes `expand`. */
export function endpoint<P extends Type.TProperties>(
  method: Endpoint['method'],
  path: string,
  params: P,
  run: (act: Act, input: Input<P>, id: string) => object,
): Endpoint {
  return { method, path, params: hash({ ...params, expand }), run: run as Endpoint['run'] };
}

/** Reads one object by its id. */
export const read = (path: string, tableOf: (tables: Tables) => { get(id: string): object }) =>
  endpoint('GET', `${path}/:id`, {}, ({ tables }, _input, id) => tableOf(tables).get(id));

/** Lists a collection, newest first. */
export const listed = <T extends { id: string; created?: number }, H>(
  path: string,
  tableOf: (tables: Tables) => Table<T, H>,
  filters: Type.TProperties,
  listingOf: (tables: Tables, input: Record<string, unknown>) => Listing<T> = () => ({}),
) =>
  endpoint('GET', path, { ...listParams, ...filters }, ({ tables }, input) =>
    listOf(tableOf(tables), input, path, listingOf(tables, input)),
  );
