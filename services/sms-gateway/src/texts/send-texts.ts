import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@daylift/clock/clock';
import type { Logger } from '@daylift/server/logger';
import { Counter, Histogram } from '@daylift/server/metrics';
import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { NumberHash } from '../opt-outs/number-hash.ts';
import type { SendOutcome } from '../provider/outcome.ts';
import type { SmsProvider } from '../provider/provider.ts';
import type { RateLimiter, RateSlot } from '../rate/rate-limiter.ts';
import {
  claimText,
  endClaimed,
  type Held,
  markInflight,
  readClaimed,
  releaseClaim,
} from './claims.repository.ts';
import { requestCodeEmail, withCode } from './code-text.ts';
import { type Decision, decideSend } from './decide-send.ts';
import { recordOutcome } from './results.ts';
import { publishSettled } from './settled.ts';
import { countMove } from './text-metrics.ts';

export interface SenderDeps {
  db: Kysely<SmsDatabase>;
  clock: Clock;
  log: Logger;
  provider: SmsProvider;
  limiter: RateLimiter;
  leaseMs: number;
  numberHash: NumberHash;
  /** Shared with accounts; derives the one-time codes. */
  oneTimeCodeKey: string;
}

/** `not_mine`: another worker has the text, or it isn't due. */
export type SendResult = SendOutcome['kind'] | 'not_mine' | 'waits' | 'ended';

const outcomes = new Counter({
  name: 'sms_attempts_total',
  help: 'Send attempts, by outcome',
  labelNames: ['result'],
});
const callSeconds = new Histogram({
  name: 'sms_provider_call_seconds',
  help: 'Response time of the provider',
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

const waitSeconds = new Histogram({
  name: 'sms_rate_wait_seconds',
  help: 'Time a text waited for the rate limiter',
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
});

/**
 * The send pipeline of one text: claim, wait for a rate-limit slot, mark `inflight`, call once, record the outcome.
 * Any number of processes may run it for the same text at the same time.
 */
export async function sendText(
  deps: SenderDeps,
  id: string,
  options: { isProbe?: boolean } = {},
): Promise<SendResult> {
  const isProbe = options.isProbe ?? false;
  await deps.provider.prepare();
  const held = await claimText(deps.db, id, {
    token: randomUUID(),
    leaseUntil: leaseOf(deps),
    now: deps.clock.now(),
    isProbe,
  });
  const result = held === null ? 'not_mine' : await sendTraced(deps, held, isProbe);
  outcomes.labels(result).inc();
  return result;
}

/** Continues the text's own trace, whether a job, an operator or a probe sends it. */
function sendTraced(deps: SenderDeps, held: Held, isProbe: boolean): Promise<SendResult> {
  const { id, kind, attempts, traceparent } = held.text;
  const attributes = { 'daylift.text': id, 'daylift.kind': kind, 'daylift.attempt': attempts };
  return inSpan('send text', { attributes, parent: traceparent }, () =>
    sendHeld(deps, held, isProbe),
  );
}

async function sendHeld(deps: SenderDeps, held: Held, isProbe: boolean): Promise<SendResult> {
  // Decided before waiting, so a text that isn't sent takes no slot.
  const first = decide(deps, held);
  if (first.do !== 'send') return carryOut(deps, held, first);
  const slot = await takeSlot(deps, held);
  if (slot === null) return 'waits';
  const marked = await markOrDecide(deps, held).catch((error: unknown) => {
    slot.done();
    throw error;
  });
  if (marked.do !== 'send') {
    slot.done();
    return marked.result;
  }
  const { to, is_test, begunAt } = marked;
  const outcome = await callInTime(deps, held, marked, slot);
  const call = { held, to, is_test, outcome, isProbe, begunAt, numberHash: deps.numberHash };
  const pauses = await recordWithRetries(deps, call);
  if (pauses) deps.log.error({ outcome }, 'provider unavailable; sending paused');
  return outcome.kind;
}

/** Returns null if the process shuts down first; another one takes the text. */
async function takeSlot(deps: SenderDeps, held: Held): Promise<RateSlot | null> {
  const stopTimer = waitSeconds.startTimer();
  try {
    const slot = await deps.limiter.take();
    // Keeps its place and its due time, by which a freeze knows what to skip.
    if (slot === null) await releaseClaim(deps.db, held, null);
    else stopTimer();
    return slot;
  } catch (error) {
    // Without the limiter the current rate is unknown, so nothing is sent.
    await releaseClaim(deps.db, held, null);
    throw error;
  }
}

type Marked =
  | (Decision & { do: 'send' } & { decidedAt: Date; begunAt: Date })
  | { do: 'nothing'; result: SendResult };

/** Decides and marks the text; decides again if anything that was read has changed meanwhile. */
async function markOrDecide(deps: SenderDeps, claimed: Held): Promise<Marked> {
  let held: Held | null = claimed;
  while (held !== null) {
    const decision = decide(deps, held);
    if (decision.do !== 'send')
      return { do: 'nothing', result: await carryOut(deps, held, decision) };
    const now = deps.clock.now();
    const wall = new Date();
    const mark = await markInflight(deps.db, held, {
      ...decision,
      now,
      wall,
      leaseUntil: leaseOf(deps),
    });
    if (mark === 'won') return { ...decision, decidedAt: wall, begunAt: now };
    if (mark === 'day_used') return { do: 'nothing', result: await refuseSecond(deps, held) };
    const again = await readClaimed(deps.db, held.text.id, held.token);
    held = again !== null && hasChanged(held, again) ? again : null;
  }
  // The lease expired while waiting, so another worker may hold the text.
  return { do: 'nothing', result: 'not_mine' };
}

function hasChanged(before: Held, after: Held): boolean {
  return (
    before.seen.recipient_revision !== after.seen.recipient_revision ||
    before.seen.testing_revision !== after.seen.testing_revision ||
    before.seen.freeze_revision !== after.seen.freeze_revision
  );
}

const decide = ({ clock }: SenderDeps, held: Held) =>
  decideSend(held.text, held.recipient, held, clock.now());

const leaseOf = ({ leaseMs }: SenderDeps) => new Date(Date.now() + leaseMs);

async function carryOut(
  { db, clock }: SenderDeps,
  held: Held,
  decision: Exclude<Decision, { do: 'send' }>,
): Promise<SendResult> {
  if (decision.do === 'wait') {
    await releaseClaim(db, held, decision.until);
    return 'waits';
  }
  await endHeld({ db, clock }, held, decision);
  return 'ended';
}

/** Two texts for one date are never handed over by design; if it happens, the second one fails loudly. */
async function refuseSecond(deps: SenderDeps, held: Held): Promise<SendResult> {
  deps.log.error({ text_id: held.text.id }, 'second text for one day released');
  await endHeld(deps, held, { state: 'refused', reason: 'day_used' });
  return 'ended';
}

async function endHeld(
  { db, clock }: Pick<SenderDeps, 'db' | 'clock'>,
  held: Held,
  { state, reason }: { state: 'skipped' | 'missed' | 'superseded' | 'refused'; reason: string },
): Promise<void> {
  const now = clock.now();
  const hasEnded = await db.transaction().execute(async (trx) => {
    const ended = await endClaimed(trx, held, { state, reason, now });
    if (ended === null) return false;
    await publishSettled(trx, held.text, { outcome: state, reason: ended, now });
    if (ended === 'testing_mode') await requestCodeEmail(trx, held.text, now);
    return true;
  });
  if (hasEnded) countMove({ text: held.text, from: 'claimed', to: state });
}

/** A STOP, pause or freeze confirmed a second ago must hold, however long this process was delayed after deciding. */
const longestDecisionMs = 900;

async function callInTime(
  deps: SenderDeps,
  held: Held,
  marked: { to: string; body: string; decidedAt: Date },
  slot: RateSlot,
): Promise<SendOutcome> {
  if (Date.now() - marked.decidedAt.getTime() <= longestDecisionMs)
    return callProvider(deps, held, marked, slot);
  slot.done();
  return {
    kind: 'unsent',
    reason: 'held_up',
    retry_after_ms: null,
    slow_down: false,
    at_work: null,
  };
}

async function callProvider(
  deps: SenderDeps,
  held: Held,
  message: { to: string; body: string },
  slot: RateSlot,
): Promise<SendOutcome> {
  const stopTimer = callSeconds.startTimer();
  const { id, kind } = held.text;
  const body = withCode(kind, message.body, deps.oneTimeCodeKey);
  const outcome = await inSpan('provider call', { kind: SpanKind.CLIENT }, () =>
    deps.provider.send({ id, to: message.to, body }),
  ).finally(() => {
    slot.done();
    stopTimer();
  });
  if (outcome.kind === 'unsent' && outcome.slow_down)
    await deps.limiter.hold(outcome.retry_after_ms ?? 1_000).catch(() => undefined);
  if (outcome.kind !== 'accepted') deps.log.warn({ text_id: id, outcome }, 'text not accepted');
  return outcome;
}

const recordRetriesMs = [50, 500, 2_000];

/**
 * The provider's response must survive a lost database connection: until the lease ends no one else touches the row.
 */
async function recordWithRetries(
  deps: SenderDeps,
  call: Omit<Parameters<typeof recordOutcome>[1], 'now'>,
): Promise<boolean> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await recordOutcome(deps.db, { ...call, now: deps.clock.now() });
    } catch (error) {
      const retryMs = recordRetriesMs[tries];
      if (retryMs === undefined) throw error;
      await delay(retryMs);
    }
  }
}
