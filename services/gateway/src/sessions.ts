import type { SessionQuery, SessionState } from '@daylift/contracts/accounts.http';
import type { InternalClient } from '@daylift/server/internal-client';

/** A revoked token must stop working within a second, so a cached state is used for half a second. */
const freshMs = 500;
const maxCached = 20_000;

/** Returns the state of a token's session. Throws `Unavailable` if accounts doesn't respond. */
export type ReadSession = (query: SessionQuery) => Promise<SessionState>;

interface CachedSession {
  requestedAt: number;
  state: Promise<SessionState>;
}

const noSession = { valid: false, role: null, username: null, totp_missing: false };

/** Reads each session from accounts at most twice a second, shared between concurrent requests. */
export function createReadSession(accounts: InternalClient): ReadSession {
  const cache = new Map<string, CachedSession>();
  return (query) => {
    const path = `/internal/sessions?${new URLSearchParams({ ...query, version: String(query.version) })}`;
    const now = performance.now();
    const known = cache.get(path);
    // Age counts from the request, because the response may be older than its arrival.
    if (known !== undefined && now - known.requestedAt < freshMs) return known.state;
    const state = accounts.get<SessionState>(path).then((response) => response ?? noSession);
    cache.delete(path);
    cache.set(path, { requestedAt: now, state });
    state.catch(() => cache.delete(path));
    forgetOldest(cache);
    return state;
  };
}

function forgetOldest(cache: Map<string, CachedSession>): void {
  const oldest = cache.keys().next();
  if (cache.size > maxCached && !oldest.done) cache.delete(oldest.value);
}
