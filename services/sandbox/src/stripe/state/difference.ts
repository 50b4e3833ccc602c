import { isDeepStrictEqual } from 'node:util';

type Plain = Record<string, unknown>;

/**
 * Returns the `previous_attributes` of an update event: the old values of what changed, hashes by field,
 * arrays whole, and null for a field that is new.
 */
export function difference(before: object, after: object): Plain {
  const old = before as Plain;
  const now = after as Plain;
  const changed = Object.keys({ ...old, ...now }).filter(
    (key) => !isDeepStrictEqual(old[key], now[key]),
  );
  return Object.fromEntries(
    changed.map((key) => [
      key,
      isHash(old[key]) && isHash(now[key]) ? difference(old[key], now[key]) : (old[key] ?? null),
    ]),
  );
}

function isHash(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
