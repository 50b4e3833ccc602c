import type { PauseEnd } from './send-pause.ts';

/** How a call failed, as far as the client can tell. */
export type SendFailure =
  /** No connection, so nothing was sent. */
  | { phase: 'connect'; error: string }
  /** The request was sent at least partly, and no usable response came back. */
  | { phase: 'lost'; error: string }
  | {
      phase: 'answer';
      status: number;
      code: string | null;
      retry_after_ms: number | null;
    };

/** Provably not sent, so it may be retried. */
interface Unsent {
  kind: 'unsent';
  reason: string;
  retry_after_ms: number | null;
  /** The provider asks all clients to wait. */
  slow_down: boolean;
  /** Whether the provider works; null if it wasn't called. */
  at_work: boolean | null;
}

export type SendOutcome =
  | { kind: 'accepted'; provider_id: string }
  | Unsent
  /** Provably not sent, and never will be. */
  | { kind: 'refused'; reason: string; code: string | null }
  /** The number has texted STOP to the provider. */
  | { kind: 'opted_out' }
  /** A fault of our account or configuration that affects every text, so all of them wait. */
  | { kind: 'account'; reason: string; code: string | null; until: PauseEnd }
  /** May or may not have been sent. */
  | { kind: 'unknown'; reason: string };

type Verdict = 'unsent' | 'slow_down' | 'refused' | 'opted_out' | 'account' | 'spent' | 'unknown';

/** Synchronous errors by code. Telnyx doesn't document their HTTP statuses. */
const byCode = new Map<string, Verdict>([
  ...codes('opted_out', '40300'),
  ...codes('slow_down', '10011'),
  ...codes('unsent', '40318', '40320'),
  ...codes('spent', '40333'),
  // The number can't be reached, or not from our number; other numbers can.
  ...codes('refused', '10002', '10016', '40001', '40012', '40301', '40309', '40310', '40322'),
  // Our request is wrong, so a retry can't help.
  ...codes('refused', '10004', '10015', '40302', '40304', '40316', '40328'),
  ...codes('account', '10001', '10009', '10010', '20002', '20012', '20013', '20100', '40010'),
  ...codes('account', '40305', '40306', '40307', '40312', '40314', '40315', '40321', '40325'),
  ...codes('account', '40329', '40331'),
  ...codes('unknown', '10007'),
]);

/** Classifies a response without a known code. */
function byStatus(status: number): Verdict {
  if (status === 429) return 'slow_down';
  // The key, the balance or the API's address is wrong.
  if (status === 401 || status === 402 || status === 403 || status === 404) return 'account';
  if (status >= 400 && status < 500 && status !== 408) return 'refused';
  return 'unknown';
}

/** Returns what a failed call means for the text, by phase and code. */
export function outcomeOf(failure: SendFailure): SendOutcome {
  if (failure.phase === 'connect')
    return {
      kind: 'unsent',
      reason: failure.error,
      retry_after_ms: null,
      slow_down: false,
      at_work: false,
    };
  if (failure.phase === 'lost') return { kind: 'unknown', reason: failure.error };
  const { status, code, retry_after_ms } = failure;
  const verdict = (code === null ? undefined : byCode.get(code)) ?? byStatus(status);
  const reason = code === null ? `http_${status}` : `provider_${code}`;
  switch (verdict) {
    case 'unsent':
    case 'slow_down':
      return {
        kind: 'unsent',
        reason,
        retry_after_ms,
        slow_down: verdict === 'slow_down',
        at_work: status < 500,
      };
    case 'account':
    case 'spent':
      return {
        kind: 'account',
        reason,
        code,
        until: verdict === 'spent' ? 'midnight_utc' : 'probe',
      };
    case 'refused':
      return { kind: 'refused', reason, code };
    case 'opted_out':
      return { kind: 'opted_out' };
    case 'unknown':
      return { kind: 'unknown', reason };
  }
}

/** Returns whether the call shows the provider working, or null if it shows nothing. */
export function isAtWork(outcome: SendOutcome): boolean | null {
  if (outcome.kind === 'unknown') return false;
  return outcome.kind === 'unsent' ? outcome.at_work : true;
}

function codes(verdict: Verdict, ...list: string[]): [string, Verdict][] {
  return list.map((code) => [code, verdict]);
}

const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

/** Full jitter up to a doubling bound; `random` is 0 to 1. A wait requested by the provider is added. */
export function retryDelayMs(
  attempts: number,
  retryAfterMs: number | null,
  random: number,
): number {
  const bound = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts, 10));
  return Math.round((retryAfterMs ?? 0) + random * bound);
}
