/**
 * The allowed origin that a page names, or null. The text itself has to be one of them (a slash at the end is let
 * pass): nothing is parsed, so there is nothing that two parsers could read differently - no user info, no path, no
 * look-alike suffix.
 */
export function allowedOrigin(allowed: ReadonlySet<string>, named: string): string | null {
  const origin = named.endsWith('/') ? named.slice(0, -1) : named;
  return allowed.has(origin) ? origin : null;
}
