import type { Act } from '../state/act.ts';
import { list, type Shape, text, type Values } from './params.ts';

type PathIds<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathIds<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** One call of the API, as the protocol layer runs it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly params: Shape;
  readonly run: (act: Act, input: never, path: never) => object;
}

const expand = list(text);

/** Describes a call. Every call also takes `expand`. */
export function endpoint<const Path extends string, S extends Shape>(
  method: Endpoint['method'],
  path: Path,
  params: S,
  run: (act: Act, input: Values<S>, path: PathIds<Path>) => object,
): Endpoint {
  return { method, path, params: { ...params, expand }, run: run as Endpoint['run'] };
}
