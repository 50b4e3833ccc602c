/**
 * Returns the allowed origin that a page names, or null. Compares the text itself (ignoring a trailing slash) and
 * parses nothing, so user info, paths and look-alike suffixes can't be read differently by two parsers.
 */
export function allowedOrigin(allowed: ReadonlySet<string>, named: string): string | null {
  const origin = named.endsWith('/') ? named.slice(0, -1) : named;
  return allowed.has(origin) ? origin : null;
}
