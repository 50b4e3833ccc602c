import type { SessionQuery, SessionState } from '@daylift/contracts/accounts.http';
import type { InternalClient } from '@daylift/server/internal-client';

/** A revoked token ends within a second: an answer is never older than this when it is used, which leaves time to ask. */
const freshMs = 500;
const mostKept = 20_000;

/** Whether the bearer of a token may still come in; throws `Unavailable` when accounts can't tell. */
export type AskSession = (query: SessionQuery) => Promise<SessionState>;

interface Kept {
  askedAt: number;
  state: Promise<SessionState>;
}

const nobody = { valid: false, role: null, username: null, totp_missing: false };

/** Asks accounts at most twice a second for each token that is in use, also when many requests come at once. */
export function createAskSession(accounts: InternalClient): AskSession {
  const kept = new Map<string, Kept>();
  return (query) => {
    const path = `/internal/sessions?${new URLSearchParams({ ...query, version: String(query.version) })}`;
    const now = performance.now();
    const known = kept.get(path);
    // Counted from the asking, because what the answer says was true no earlier.
    if (known !== undefined && now - known.askedAt < freshMs) return known.state;
    const state = accounts.get<SessionState>(path).then((answer) => answer ?? nobody);
    kept.delete(path);
    kept.set(path, { askedAt: now, state });
    state.catch(() => kept.delete(path));
    forgetOldest(kept);
    return state;
  };
}

function forgetOldest(kept: Map<string, Kept>): void {
  const oldest = kept.keys().next();
  if (kept.size > mostKept && !oldest.done) kept.delete(oldest.value);
}
