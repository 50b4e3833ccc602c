import type { TextOutcome } from '@daylift/contracts/sms.events';
import type { TextStatus } from '@daylift/contracts/sms.http';

/**
 * The life of a text. Each arrow is one compare-and-set statement; nothing else writes `state`.
 *
 *   queued ──claim──> claimed ──mark──> inflight ──answer──> accepted ──> sent ──> delivered | failed
 *     ^                 │                  │
 *     │   lease over,   │                  ├─ surely not sent ─────> queued (again, until its windows close)
 *     └── must wait ────┘                  ├─ refused for good ────> refused
 *                                          ├─ blocked by STOP ─────> skipped (opted_out)
 *   queued, claimed ──> skipped            └─ nobody knows, or the worker died ─> unknown
 *                       missed                       │
 *                       superseded                   └─ evidence of the provider ─> accepted, sent, delivered, failed
 *
 * Two compare-and-sets stand before the provider call, and only whoever wins `claimed -> inflight` may make it. A text
 * leaves `inflight` back to `queued` only by proof that nothing left; a worker that died there leaves it `unknown`,
 * and no text is ever sent again from `unknown`. Evidence of the provider (its answer, a receipt, a look-up) only
 * moves a text forward, in the order of `rank`, so the order in which it arrives does not matter.
 */
export type TextState =
  | 'queued'
  | 'claimed'
  | 'inflight'
  | 'skipped'
  | 'missed'
  | 'superseded'
  | 'refused'
  | 'unknown'
  | ProvenState;

/** States that only the provider can bring about. */
export type ProvenState = 'accepted' | 'sent' | 'failed' | 'delivered';

const rank: Record<TextState, number> = {
  queued: 0,
  claimed: 1,
  inflight: 2,
  skipped: 3,
  missed: 3,
  superseded: 3,
  refused: 3,
  unknown: 3,
  accepted: 4,
  sent: 5,
  failed: 6,
  delivered: 7,
};

/** Where evidence moves a text: forward or not at all. */
export function advance(state: TextState, evidence: ProvenState): TextState {
  return rank[evidence] > rank[state] ? evidence : state;
}

/** Whether the provider is known to have taken this text. */
export function isProven(state: TextState): state is ProvenState {
  return rank[state] >= rank.accepted;
}

/** What the scheduler is told of a text that has come to this state; null while there is nothing to tell. */
export function outcomeOfState(state: TextState): TextOutcome | null {
  if (isProven(state)) return 'accepted';
  return state === 'queued' || state === 'claimed' || state === 'inflight' ? null : state;
}

const shown: Record<TextState, TextStatus> = {
  queued: 'queued',
  claimed: 'queued',
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

/** What people are shown of a state. */
export function statusOf(state: TextState): TextStatus {
  return shown[state];
}
