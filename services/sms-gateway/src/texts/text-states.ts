import type { TextOutcome } from '@daylift/contracts/sms.events';
import type { TextStatus } from '@daylift/contracts/sms.http';

/**
 * The states of a text. Each arrow is one compare-and-set statement for a set of texts; nothing else writes `state`.
 *
 *   queued ──mark──> inflight ──response──> accepted ──final receipt──> delivered | failed | sent
 *     │ ^               │
 *     │ └───────────────┼─ provably not sent (retried until its windows close)
 *     │                 ├─ refused for good ──> refused
 *     │                 ├─ blocked by STOP ───> skipped (opted_out)
 *     │                 └─ unclear, or the worker crashed ──> unknown
 *     │                                                         │
 *     └──> skipped, missed, superseded or refused               ├─ provider evidence ──> accepted, sent, delivered, failed
 *                                                               └─ same key, if the provider honors it ──> inflight
 *
 * Only the worker that wins `queued -> inflight` may call the provider, once. A text returns from `inflight` to
 * `queued` only if it provably wasn't sent, and from `accepted` or `sent` only if a final receipt proves that it reached
 * no phone (`returnedBy` in `receipts.actions.ts`). A worker that crashes there leaves it `unknown`. An `unknown` text is
 * sent again only if the provider honors its idempotency key, with the same words and number; then any result but
 * `accepted` leaves it `unknown`. Provider evidence (a response, a receipt, a lookup) only moves a text forward, in the order of
 * `rank`, so its order of arrival doesn't matter. A receipt that an `accepted` text was sent is stored beside it; `sent`
 * means that no carrier confirmed it, or that this receipt was the first evidence.
 */
export type TextState =
  | 'queued'
  | 'inflight'
  | 'skipped'
  | 'missed'
  | 'superseded'
  | 'refused'
  | 'unknown'
  | ProvenState;

/** States that only the provider can cause. */
export type ProvenState = 'accepted' | 'sent' | 'failed' | 'delivered';

const rank: Record<TextState, number> = {
  queued: 0,
  inflight: 1,
  skipped: 2,
  missed: 2,
  superseded: 2,
  refused: 2,
  unknown: 2,
  accepted: 3,
  sent: 4,
  failed: 5,
  delivered: 6,
};

/** Returns the state after this evidence: later or unchanged. */
export function advance(state: TextState, evidence: ProvenState): TextState {
  return rank[evidence] > rank[state] ? evidence : state;
}

/** Returns whether the provider is known to have taken the text. */
export function isProven(state: TextState): state is ProvenState {
  return rank[state] >= rank.accepted;
}

/** Returns the outcome to publish for this state, or null if there is none yet. */
export function outcomeOfState(state: TextState): TextOutcome | null {
  if (isProven(state)) return 'accepted';
  return state === 'queued' || state === 'inflight' ? null : state;
}

const shown: Record<TextState, TextStatus> = {
  queued: 'queued',
  inflight: 'queued',
  skipped: 'failed',
  missed: 'failed',
  superseded: 'failed',
  refused: 'failed',
  unknown: 'unknown',
  accepted: 'sent',
  sent: 'sent',
  failed: 'failed',
  delivered: 'delivered',
};

/** Returns the status shown to people. */
export function statusOf(state: TextState): TextStatus {
  return shown[state];
}
