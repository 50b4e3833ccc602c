type Plain = Record<string, unknown>;

/**
 * What an object looked like where it has changed: hashes by field, arrays whole, a field that was not
 * there as null. This is `previous_attributes` of an update event.
 */
export function difference(before: object, after: object): Plain {
  const previous: Plain = {};
  const old = before as Plain;
  const now = after as Plain;
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (same(old[key], now[key])) continue;
    previous[key] =
      isHash(old[key]) && isHash(now[key]) ? difference(old[key], now[key]) : (old[key] ?? null);
  }
  return previous;
}

function isHash(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, index) => same(each, b[index]));
  }
  if (!isHash(a) || !isHash(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => same(a[key], b[key]));
}
