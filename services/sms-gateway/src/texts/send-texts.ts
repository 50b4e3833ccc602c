import { randomUUID } from 'node:crypto';
import { isOutage } from '@daylift/events/handle-event';
import { Counter, Histogram } from '@daylift/server/metrics';
import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import type { SendOutcome } from '../provider/outcome.ts';
import type { SmsProvider } from '../provider/provider.ts';
import type { RateLimit, RateLimiter, RateSlot } from '../rate/rate-limiter.ts';
import { assignSenders } from '../senders/assign-senders.ts';
import type { PoolDeps } from '../senders/pool-deps.ts';
import type { SenderCounts } from '../senders/sender-counts.ts';
import { reserveSenderDays } from '../senders/sender-days.ts';
import { rateLimitsOf } from '../senders/sender-limits.ts';
import type { SenderLines } from '../senders/sender-lines.ts';
import type { SenderRow } from '../senders/senders.table.ts';
import { withCode } from './code-text.ts';
import { type Decision, decideSend } from './decide-send.ts';
import {
  type DueText,
  holdTexts,
  isUniqueViolation,
  type Mark,
  markInflight,
  postponeTexts,
  readDueTexts,
  requeueTexts,
  type Wait,
} from './due-texts.repository.ts';
import { endUnsent, type UnsentEnd } from './end-unsent.ts';
import { recordFailure } from './failed-attempts.repository.ts';
import type { OutcomeWriter } from './outcome-writer.ts';
import type { FinishedCall } from './results.ts';

export interface SenderDeps extends PoolDeps {
  provider: SmsProvider;
  limiter: RateLimiter;
  /** The account's limits, which hold for every text. */
  accountLimits: RateLimit[];
  senderCounts: SenderCounts;
  senderLines: SenderLines;
  outcomes: OutcomeWriter;
  leaseMs: number;
  /** Shared with accounts; derives the one-time codes. */
  oneTimeCodeKey: string;
}

/** `not_mine`: another worker has the text, or it isn't due. `failed`: the attempt threw before anything was sent. */
export type SendResult = SendOutcome['kind'] | 'not_mine' | 'waits' | 'ended' | 'failed';

const attempts = new Counter({
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

interface SendOptions {
  /** The one text that is tried while sending is paused. */
  isProbe: boolean;
  /** Takes slots before texts that aren't. */
  isUrgent: boolean;
  /** Sends texts with an unknown outcome again, as they were and with the same idempotency key. */
  isRepeat: boolean;
  /**
   * Called with the rest of the run once only texts of senders at their limit remain. Their results aren't in the
   * returned list.
   */
  continueLater?: (rest: Promise<void>) => void;
}

/** One run of the pipeline for a group of texts. */
interface Run extends SendOptions {
  deps: SenderDeps;
  results: Map<string, SendResult>;
  /** By text. Fixed before slots are taken, because slots belong to a sender. */
  senders: Map<string, SenderRow>;
}

/**
 * The send pipeline of a group of texts: read and decide, take rate-limit slots, mark `inflight`, call once each,
 * record the outcomes. Any number of processes may run it for the same texts at the same time. Returns a result per id.
 */
export async function sendTexts(
  deps: SenderDeps,
  ids: string[],
  options: Partial<SendOptions> = {},
): Promise<SendResult[]> {
  await deps.provider.prepare();
  const run: Run = {
    isProbe: false,
    isUrgent: false,
    isRepeat: false,
    ...options,
    deps,
    results: new Map(),
    senders: new Map(),
  };
  const due = await readDueTexts(deps.db, ids, { ...run, now: deps.clock.now() });
  const isDue = new Set(due.map(({ text }) => text.id));
  await requeueTexts(
    deps.db,
    ids.filter((id) => !isDue.has(id)),
  );
  const { senders, isShared } = await assignSenders(deps, due);
  run.senders = senders;
  // Decided before waiting, so a text that isn't sent takes no slot.
  const waiting = (await decide(run, due)).map((mark) => mark.due);
  const count = () => {
    for (const id of ids) attempts.labels(run.results.get(id) ?? 'not_mine').inc();
  };
  const calls: Promise<void>[] = [];
  const full = isShared ? await sendSome(run, waiting, calls, sharedPatienceMs) : [];
  const rest = (isShared ? sendInLines(run, full) : sendAll(run, waiting)).then(count);
  if (full.length > 0 && options.continueLater !== undefined) options.continueLater(rest);
  else calls.push(rest);
  await allEnded(calls);
  return ids.map((id) => run.results.get(id) ?? 'not_mine');
}

/** Waits for all of them even if one fails, because a process closes its connections after its last run. */
async function allEnded(running: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(running)).find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Sends texts as slots become free. `onSlots` gets those that no longer wait. */
async function sendAll(
  run: Run,
  texts: DueText[],
  onSlots: (texts: DueText[]) => void = () => undefined,
): Promise<void> {
  const calls: Promise<void>[] = [];
  try {
    for (let left = texts; left.length > 0; ) {
      const waiting = new Set(await sendSome(run, left, calls));
      onSlots(left.filter((one) => !waiting.has(one)));
      left = [...waiting];
    }
  } finally {
    await allEnded(calls);
  }
}

/** Starts to send the texts that get a slot and returns the others, or none if the process shuts down. */
async function sendSome(
  run: Run,
  texts: DueText[],
  calls: Promise<void>[],
  patienceMs?: number,
): Promise<DueText[]> {
  if (texts.length === 0) return [];
  const slots = await takeSlots(run, texts, patienceMs);
  const slotOf = new Map(
    texts.flatMap((one, index) => {
      const slot = slots[index] ?? null;
      return slot === null ? [] : [[one.text.id, slot] as const];
    }),
  );
  const hasSlot = ({ text }: DueText) => slotOf.has(text.id);
  if (slotOf.size > 0) {
    const marks = await mark(run, texts.filter(hasSlot), slotOf);
    calls.push(...marks.map((marked) => send(run, marked)));
  }
  return slots.length === 0 ? [] : texts.filter((one) => !hasSlot(one));
}

/** How long a group waits for the senders that have room. */
const sharedPatienceMs = 50;

/** Lets the texts of each full sender wait for its own slots. Those that its line has no room for return to the queue. */
async function sendInLines(run: Run, texts: DueText[]): Promise<void> {
  const { deps } = run;
  const now = deps.clock.now();
  const isBounded = !(run.isUrgent || run.isProbe || run.isRepeat);
  const lines: { inLine: DueText[]; leave(some: DueText[]): void }[] = [];
  const waits: Wait[] = [];
  for (const [number, ofSender] of Map.groupBy(
    texts,
    ({ text }) => run.senders.get(text.id)!.number,
  )) {
    const limits = limitsOf(run, ofSender[0]!, now);
    const { added, later } = deps.senderLines.enter(number, limits, idsOf(ofSender), isBounded);
    const inLine = ofSender.filter(({ text }) => added.has(text.id));
    lines.push({ inLine, leave: (some) => deps.senderLines.leave(number, idsOf(some)) });
    for (const { id, ms } of later) waits.push({ id, until: new Date(now.getTime() + ms) });
  }
  const held = new Set(lines.flatMap(({ inLine }) => idsOf(inLine)));
  const { holdMs } = deps.senderLines;
  const hold = (isRenewal: boolean) =>
    holdTexts(deps.db, [...held], { until: new Date(Date.now() + holdMs), isRenewal });
  const stored = postpone(run, waits).then(() => hold(false));
  // With many workers or a slow sender, texts can stay in a line longer than one hold.
  const renewal = setInterval(() => void hold(true).catch(() => undefined), holdMs / 2);
  const sendLine = async ({ inLine, leave }: (typeof lines)[number]) => {
    const end = (some: DueText[]) => {
      for (const id of idsOf(some)) held.delete(id);
      leave(some);
    };
    try {
      await stored;
      await sendAll(run, inLine, end);
    } catch (error) {
      await requeueTexts(deps.db, idsOf(inLine)).catch(() => undefined);
      throw error;
    } finally {
      end(inLine);
    }
  };
  await allEnded(lines.map(sendLine)).finally(() => clearInterval(renewal));
}

const idsOf = (texts: DueText[]) => texts.map(({ text }) => text.id);

/** Returns a slot or null for each text, or nothing if the process shuts down: other workers take over. */
async function takeSlots(
  run: Run,
  waiting: DueText[],
  patienceMs?: number,
): Promise<(RateSlot | null)[]> {
  const { deps, results, isUrgent } = run;
  const stopTimer = waitSeconds.startTimer();
  const now = deps.clock.now();
  const limits = waiting.map((due) => limitsOf(run, due, now));
  const slots = await deps.limiter.take(limits, {
    isUrgent,
    ...(patienceMs !== undefined && { patienceMs }),
  });
  stopTimer();
  if (slots.length === 0) {
    const ids = waiting.map(({ text }) => text.id);
    await requeueTexts(deps.db, ids);
    for (const id of ids) results.set(id, 'waits');
  }
  return slots;
}

function limitsOf({ deps, senders }: Run, { text }: DueText, now: Date): RateLimit[] {
  const sender = senders.get(text.id);
  return [...deps.accountLimits, ...(sender === undefined ? [] : rateLimitsOf(sender, now))];
}

/** How long a text waits for a paused sender before the next check. */
const pausedSenderMs = 30_000;

async function postpone({ deps, results }: Run, waits: Wait[]): Promise<void> {
  await postponeTexts(deps.db, waits);
  for (const { id } of waits) results.set(id, 'waits');
}

/** Decides about each text; ends or postpones those that aren't sent now. Returns the others. */
async function decide(run: Run, texts: DueText[]): Promise<Mark[]> {
  const { deps, results } = run;
  const marks: Mark[] = [];
  const waits: Wait[] = [];
  const ends: UnsentEnd[] = [];
  for (const due of texts) {
    try {
      const decision = decideSend(due.text, due.recipient, due, deps.clock.now());
      const sender = run.senders.get(due.text.id);
      if (run.isRepeat && !repeats(due.text, decision)) results.set(due.text.id, 'unknown');
      else if (decision.do === 'end') ends.push({ text: due.text, end: decision });
      else if (decision.do === 'wait') waits.push({ id: due.text.id, ...decision });
      else if (sender !== undefined) marks.push({ due, from: sender.number, ...decision });
      else {
        const until = new Date(deps.clock.now().getTime() + pausedSenderMs);
        waits.push({ id: due.text.id, until });
      }
    } catch (error) {
      await setAside(run, due, error);
    }
  }
  await postpone(run, waits);
  if (ends.length > 0) await endUnsent(deps, ends);
  for (const { text } of ends) results.set(text.id, 'ended');
  return marks;
}

/** Returns whether sending now would send what the first attempt sent. */
function repeats({ to_number, body, is_test }: DueText['text'], decision: Decision): boolean {
  if (decision.do !== 'send') return false;
  return decision.to === to_number && decision.body === body && decision.is_test === is_test;
}

interface Marked extends Mark {
  token: string;
  slot: RateSlot;
  /** Wall time just before the mark. */
  decidedAt: number;
  startedAt: Date;
}

/** How often a text is decided about again because something changed between decision and mark. */
const maxDecisions = 3;

/** Marks texts; decides again about those with changed facts. Returns the marked ones, each with a slot. */
async function mark(run: Run, texts: DueText[], slots: Map<string, RateSlot>): Promise<Marked[]> {
  const { deps } = run;
  const marked: Marked[] = [];
  const day = await reserveDays(run, texts).catch((error: unknown) => {
    for (const slot of slots.values()) slot.close();
    throw error;
  });
  try {
    let open = day.texts;
    for (let tries = 0; open.length > 0 && tries < maxDecisions; tries += 1) {
      if (tries > 0) {
        const ids = open.map(({ text }) => text.id);
        open = await readDueTexts(deps.db, ids, { ...run, now: deps.clock.now() });
      }
      const marks = await decide(run, open);
      const decidedAt = Date.now();
      const startedAt = deps.clock.now();
      const token = randomUUID();
      const won =
        marks.length === 0 ? new Set<string>() : await tryToMark(run, marks, token, startedAt);
      for (const one of marks.filter(({ due }) => won.has(due.text.id)))
        marked.push({ ...one, token, slot: slots.get(one.due.text.id)!, decidedAt, startedAt });
      open = marks
        .map(({ due }) => due)
        .filter(({ text }) => !won.has(text.id) && !run.results.has(text.id));
    }
    const lost = texts.map(({ text }) => text.id).filter((id) => !run.results.has(id));
    const isMarked = new Set(marked.map(({ due }) => due.text.id));
    await requeueTexts(
      deps.db,
      lost.filter((id) => !isMarked.has(id)),
    );
  } catch (error) {
    // The marked ones must be sent; the others stay queued.
    if (marked.length === 0) throw error;
    deps.log.warn({ err: error }, 'texts not marked');
  } finally {
    const isMarked = new Set(marked.map(({ due }) => due.text.id));
    for (const [id, slot] of slots) if (!isMarked.has(id)) slot.close();
    await day.returnUnused(isMarked);
  }
  return marked;
}

/** Reserves the texts' places within their senders' limits per day. The others wait for the next day. */
async function reserveDays(run: Run, texts: DueText[]) {
  const { deps, senders } = run;
  const day = await reserveSenderDays(deps, run.isRepeat ? [] : texts, senders);
  // Repeats have their places already.
  if (run.isRepeat) return { ...day, texts };
  const until = new Date(deps.clock.now().getTime() + day.untilNextDayMs);
  await postpone(
    run,
    idsOf(day.over).map((id) => ({ id, until })),
  );
  return day;
}

/** Marks the texts in one statement, or one by one if one of them makes it fail. Returns the ids it won. */
async function tryToMark(run: Run, marks: Mark[], token: string, now: Date): Promise<Set<string>> {
  const { deps } = run;
  try {
    const leaseUntil = new Date(Date.now() + deps.leaseMs);
    return await markInflight(deps.db, marks, { ...run, token, now, leaseUntil });
  } catch (error) {
    if (isOutage(error)) throw error;
    const [one] = marks;
    if (marks.length > 1 || one === undefined) return markOneByOne(run, marks, token, now);
    if (isUniqueViolation(error)) await rejectSecond(run, one.due);
    else await setAside(run, one.due, error);
    return new Set();
  }
}

async function markOneByOne(
  run: Run,
  marks: Mark[],
  token: string,
  now: Date,
): Promise<Set<string>> {
  const won = new Set<string>();
  for (const one of marks) {
    try {
      for (const id of await tryToMark(run, [one], token, now)) won.add(id);
    } catch (error) {
      if (won.size === 0) throw error;
      break;
    }
  }
  return won;
}

/** Two texts for one date are never released by design; if it happens, the second one fails loudly. */
async function rejectSecond({ deps, results }: Run, { text }: DueText): Promise<void> {
  deps.log.error({ text_id: text.id }, 'second text for one day released');
  await endUnsent(deps, [{ text, end: { state: 'refused', reason: 'day_used' } }]);
  results.set(text.id, 'ended');
}

async function setAside({ deps, results }: Run, { text }: DueText, error: unknown): Promise<void> {
  deps.log.warn({ err: error, text_id: text.id }, 'send attempt failed');
  await recordFailure(deps.db, text, error, deps.clock.now());
  results.set(text.id, 'failed');
}

/** Continues the text's own trace, whether a job, an operator or a probe sends it. */
function send({ deps, results, isProbe, isRepeat }: Run, marked: Marked): Promise<void> {
  const { due, slot, to, is_test, token, startedAt } = marked;
  const { id, kind, attempts, traceparent } = due.text;
  const attributes = { 'daylift.text': id, 'daylift.kind': kind, 'daylift.attempt': attempts + 1 };
  return inSpan('send text', { attributes, parent: traceparent }, async () => {
    try {
      const outcome = await callInTime(deps, marked);
      const now = deps.clock.now();
      const call: FinishedCall = {
        text: due.text,
        token,
        from: marked.from,
        to,
        is_test,
        outcome,
        isProbe,
        isRepeat,
        startedAt,
        now,
      };
      if (await deps.outcomes.add(call))
        deps.log.error({ outcome }, 'provider unavailable; sending paused');
      results.set(id, outcome.kind);
      if (outcome.kind !== 'unsent' && !isRepeat)
        deps.senderCounts.add(
          marked.from,
          outcome.kind === 'accepted' || outcome.kind === 'opted_out',
        );
    } catch (error) {
      deps.log.error({ err: error, text_id: id }, 'outcome not recorded');
      results.set(id, 'unknown');
    } finally {
      slot.close();
    }
  });
}

/** A STOP, pause or freeze confirmed a second ago must hold, however long this process was delayed after deciding. */
const maxDecisionMs = 900;

async function callInTime(deps: SenderDeps, marked: Marked): Promise<SendOutcome> {
  const isInTime = await marked.slot.begin();
  if (isInTime && Date.now() - marked.decidedAt <= maxDecisionMs) return callProvider(deps, marked);
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
  { due, from, to, body: words, slot }: Marked,
): Promise<SendOutcome> {
  const stopTimer = callSeconds.startTimer();
  const { id, kind, returned } = due.text;
  const key = returned === 0 ? id : `${id}:${returned}`;
  const body = withCode(kind, words, deps.oneTimeCodeKey);
  const outcome = await inSpan('provider call', { kind: SpanKind.CLIENT }, () =>
    deps.provider.send({ id, key, from, to, body }),
  ).finally(stopTimer);
  if (outcome.kind === 'accepted') slot.accepted();
  if (outcome.kind === 'unsent' && outcome.slow_down)
    await deps.limiter.hold(outcome.retry_after_ms ?? 1_000).catch(() => undefined);
  if (outcome.kind !== 'accepted') deps.log.warn({ text_id: id, outcome }, 'text not accepted');
  return outcome;
}
