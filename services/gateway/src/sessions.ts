import type { SessionQuery, SessionState } from '@daylift/contracts/accounts.http';
import type { InternalClient } from '@daylift/server/internal-client';

/** A revoked token must stop working within a second, so a cached state is used for half a second. */
const freshMs = 500;
const maxCached = 20_000;

/** Returns the state of a token's session. Throws `Unavailable` if accounts doesn't respond. */
export type ReadSession = (query: SessionQuery) => Promise<SessionState>;

interface Kept {
  requestedAt: number;
  state: Promise<SessionState>;
}

const noSession = { valid: false, role: null, username: null, totp_missing: false };

/** Reads each session from accounts at most twice a second, shared between concurrent requests. */
export function createReadSession(accounts: InternalClient): ReadSession {
  const kept = new Map<string, Kept>();
  return (query) => {
    const path = `/internal/sessions?${new URLSearchParams({ ...query, version: String(query.version) })}`;
    const now = performance.now();
    const known = kept.get(path);
    // Age counts from the request, because the response may be older than its arrival.
    if (known !== undefined && now - known.requestedAt < freshMs) return known.state;
    const state = accounts.get<SessionState>(path).then((response) => response ?? noSession);
    kept.delete(path);
    kept.set(path, { requestedAt: now, state });
    state.catch(() => kept.delete(path));
    forgetOldest(kept);
    return state;
  };
}

function forgetOldest(kept: Map<string, Kept>): void {
  const oldest = kept.keys().next();
  if (kept.size > maxCached && !oldest.done) kept.delete(oldest.value);
}
