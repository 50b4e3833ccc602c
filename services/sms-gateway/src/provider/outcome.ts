import { type Action, type ClassifiedError, findRule } from './outcome-table.ts';
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
      title: string | null;
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
  | (Failed & {
      /** Set if the response had an error code. */
      error?: ClassifiedError;
    });

type Failed =
  | Unsent
  /** Provably not sent, and never will be. */
  | { kind: 'refused'; reason: string; code: string | null }
  /** Provably not sent, because our request is wrong: it becomes a failed event. */
  | { kind: 'our_bug'; reason: string }
  /** The number has texted STOP to the provider. */
  | { kind: 'opted_out' }
  /** A fault of our account or configuration that affects every text, so all of them wait. */
  | { kind: 'account'; reason: string; code: string | null; until: PauseEnd }
  /** May or may not have been sent. */
  | { kind: 'unknown'; reason: string };

/** Returns the safe action for a response without a known code. */
function actionByStatus(status: number): Action {
  if (status === 429) return 'retry_all_later';
  // The key, the balance or the API's address is wrong.
  if (status === 401 || status === 402 || status === 403 || status === 404) return 'pause';
  if (status >= 400 && status < 500 && status !== 408) return 'fail';
  return 'look_up';
}

/** Returns what a failed call means for the text, by phase, code and title. */
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
  const { status, code, title } = failure;
  const rule = code === null ? null : findRule('sync', code, title);
  const action = rule?.action ?? actionByStatus(status);
  const outcome = outcomeByAction(action, failure);
  if (code === null) return outcome;
  return { ...outcome, error: { phase: 'sync', code, action, is_unknown: rule === null } };
}

function outcomeByAction(
  action: Action,
  { status, code, retry_after_ms }: Extract<SendFailure, { phase: 'answer' }>,
): Failed {
  const reason = code === null ? `http_${status}` : `provider_${code}`;
  switch (action) {
    case 'retry':
    case 'retry_all_later':
    case 'slow_sender':
    case 'next_carrier_day':
      return {
        kind: 'unsent',
        reason,
        retry_after_ms,
        slow_down: action === 'retry_all_later',
        at_work: status < 500,
      };
    case 'pause':
      return { kind: 'account', reason, code, until: 'probe' };
    case 'pause_until_utc_midnight':
      return { kind: 'account', reason, code, until: 'midnight_utc' };
    case 'fail':
    case 'landline':
    case 'number_failed':
    case 'stop_batch':
    case 'cool_down_batch':
      return { kind: 'refused', reason, code };
    case 'our_bug':
      return { kind: 'our_bug', reason };
    case 'opt_out':
      return { kind: 'opted_out' };
    case 'look_up':
      return { kind: 'unknown', reason };
  }
}

/** Returns whether the call shows the provider working, or null if it shows nothing. */
export function isAtWork(outcome: SendOutcome): boolean | null {
  if (outcome.kind === 'unknown') return false;
  return outcome.kind === 'unsent' ? outcome.at_work : true;
}

/** Most such requests were never read, so the text is looked up soon. */
export const connectionReset = 'connection_reset';

const firstDelayMs = 1_000;
const maxDelayMs = 60_000;

/** Full jitter up to a doubling bound; `random` is 0 to 1. A wait requested by the provider is added. */
export function retryDelayMs(
  attempts: number,
  retryAfterMs: number | null,
  random: number,
): number {
  const bound = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempts, 10));
  return Math.round((retryAfterMs ?? 0) + random * bound);
}
