import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxDeps } from '../deps.ts';
import type { Collection } from '../store.ts';
import { type Fate, failedWith, fateOf } from './magic-numbers.ts';
import type { OptOut } from './opt-outs.ts';
import type { SendQueue } from './pacing.ts';
import type { Receipts } from './receipts.ts';
import { readSendBody, type SendRequest } from './send-body.ts';
import { refusal } from './telnyx-errors.ts';
import { messageOf, type Text, type TextLog } from './texts.ts';

/** The one messaging profile of the sandbox; SMS_FROM belongs to it. */
export const PROFILE_ID = '16fd2706-8baf-433b-82eb-8c7fada847da';

export interface TelnyxState {
  texts: TextLog;
  optOuts: Collection<OptOut>;
  receipts: Receipts;
  queue: SendQueue;
  replays: Collection<Replay>;
}

/** The first send with an Idempotency-Key. */
interface Replay {
  body_hash: string;
  text_id: string;
}

export interface SendHeaders {
  idempotencyKey: string | null;
  retryCount: number;
}

/** Accepts or refuses one send. An accepted text is on the disk before this resolves. */
export async function sendMessage(
  deps: SandboxDeps,
  state: TelnyxState,
  body: unknown,
  headers: SendHeaders,
): Promise<{ message: Record<string, unknown>; fate: Fate }> {
  const { faults, store } = deps;
  const send = readSendBody(body, deps.config.SMS_FROM);
  const replayed = findReplay(deps, state, body, headers);
  if (replayed !== undefined) return { message: messageOf(replayed), fate: {} };

  const fate = fateOf(send.to, faults);
  refuseBy(fate, send);
  refuseBlocked(deps, state, send);
  const text = accept(deps, state, send, fate, headers);
  if (headers.idempotencyKey !== null) {
    state.replays.put(headers.idempotencyKey, { body_hash: hashOf(body), text_id: text.id });
  }
  const message = messageOf(text);
  await store.flush();
  if (faults.current.telnyx.webhook_before_answer) {
    // The receiver can be waiting for this answer, so the wait is limited.
    await Promise.race([state.receipts.overtake(text), delay(1_500, undefined, { ref: false })]);
  } else {
    state.receipts.schedule(text);
  }
  return { message, fate };
}

function findReplay(
  deps: SandboxDeps,
  state: TelnyxState,
  body: unknown,
  { idempotencyKey }: SendHeaders,
): Text | undefined {
  if (idempotencyKey === null || !deps.faults.current.telnyx.honour_idempotency_key) return;
  const replay = state.replays.get(idempotencyKey);
  if (replay === undefined) return;
  if (replay.body_hash !== hashOf(body)) {
    throw refusal('10015', 'This Idempotency-Key was used with another body.', { status: 422 });
  }
  return state.texts.get(replay.text_id);
}

const hashOf = (body: unknown) => createHash('sha256').update(JSON.stringify(body)).digest('hex');

function refuseBy(fate: Fate, send: SendRequest): void {
  if (fate.answer === 'error_before') throw refusal('10007', 'An unexpected error occurred.');
  if (fate.refuse === undefined) return;
  const { code, status, retryAfter } = fate.refuse;
  const detail = code === '40300' ? blockedDetail(send) : undefined;
  throw refusal(code, detail, {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  });
}

function refuseBlocked(deps: SandboxDeps, state: TelnyxState, send: SendRequest): void {
  if (state.optOuts.get(send.to) === undefined) return;
  const status = deps.faults.current.telnyx.stop_status;
  throw refusal('40300', blockedDetail(send), { status });
}

const blockedDetail = (send: SendRequest) =>
  `Messages cannot be sent from '${send.from}' to '${send.to}' due to an existing block rule.`;

function accept(
  { clock, config, counters, faults }: SandboxDeps,
  state: TelnyxState,
  send: SendRequest,
  fate: Fate,
  headers: SendHeaders,
): Text {
  const leavesAtMs = state.queue.takePlace();
  const now = clock.now();
  const { sent_after_ms, finalized_after_ms, undelivered } = faults.current.telnyx;
  const chance = faults.hits(undelivered) ? failedWith('40008') : null;
  const final = fate.final ?? chance ?? { status: 'delivered' as const, code: null };
  const silent = fate.receipts === 'none';
  const profileUrl = send.use_profile_webhooks ? config.TELNYX_WEBHOOK_URL : null;
  const text: Text = {
    id: randomUUID(),
    to: send.to,
    from: send.from,
    text: send.text,
    dispatch: lastSegment(send.webhook_url),
    accepted_at: now.toISOString(),
    status: 'queued',
    parts: send.segments.parts,
    encoding: send.segments.encoding,
    cost: null,
    accepted_wall_at: new Date().toISOString(),
    idempotency_key: headers.idempotencyKey,
    retry_count: headers.retryCount,
    messaging_profile_id: send.messaging_profile_id ?? PROFILE_ID,
    webhook_url: send.webhook_url ?? profileUrl,
    webhook_failover_url: send.webhook_failover_url,
    wait_seconds: Math.max(0, leavesAtMs - now.getTime()) / 1_000,
    sent_at: null,
    completed_at: null,
    errors: [],
    planned: {
      sent_at_ms: silent ? null : leavesAtMs + sent_after_ms,
      final_at_ms: silent || fate.receipts === 'sent' ? null : leavesAtMs + finalized_after_ms,
      ...final,
    },
  };
  state.texts.save(text);
  counters.add('texts_accepted');
  return text;
}

function lastSegment(url: string | null): string | null {
  if (url === null) return null;
  return decodeURIComponent(new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '') || null;
}
