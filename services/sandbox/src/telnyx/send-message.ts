import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxDeps } from '../deps.ts';
import { type Fate, failedWith, fateOf } from './magic-numbers.ts';
import { readSendBody, type SendRequest } from './send-body.ts';
import type { Telnyx } from './telnyx.ts';
import { refusal } from './telnyx-errors.ts';
import { messageOf, type Text } from './texts.ts';

export interface SendHeaders {
  idempotencyKey: string | null;
  retryCount: number;
}

/** Accepts or rejects one send. An accepted text is on the disk before this resolves. */
export async function sendMessage(
  deps: SandboxDeps,
  state: Telnyx,
  body: unknown,
  headers: SendHeaders,
): Promise<{ message: Record<string, unknown>; fate: Fate }> {
  const { faults, store } = deps;
  const send = readSendBody(body, deps.config.SMS_FROM);
  const replayed = findReplay(deps, state, body, headers);
  if (replayed !== undefined) return { message: messageOf(replayed), fate: {} };
  const fate = fateOf(send.to, faults);
  rejectBy(fate, send);
  if (state.optOuts.get(send.to) !== undefined) throw refusal('40300', blockedDetail(send));
  const text = accept(deps, state, send, fate, headers);
  if (faults.current.telnyx.honour_idempotency_key && headers.idempotencyKey !== null)
    state.replays.put(headers.idempotencyKey, { body_hash: hashOf(body), text_id: text.id });
  const message = messageOf(text);
  await store.flush();
  if (faults.current.telnyx.webhook_before_answer) {
    // The receiver can be waiting for this response, so the wait is limited.
    await Promise.race([state.receipts.overtake(text), delay(1_500, undefined, { ref: false })]);
  } else {
    state.receipts.schedule(text);
  }
  return { message, fate };
}

function findReplay(
  { faults }: SandboxDeps,
  state: Telnyx,
  body: unknown,
  { idempotencyKey }: SendHeaders,
): Text | undefined {
  if (idempotencyKey === null || !faults.current.telnyx.honour_idempotency_key) return;
  const replay = state.replays.get(idempotencyKey);
  if (replay === undefined) return;
  if (replay.body_hash !== hashOf(body))
    throw refusal('10015', 'This Idempotency-Key was used with another body.', { status: 422 });
  return state.texts.get(replay.text_id);
}

const hashOf = (body: unknown) => createHash('sha256').update(JSON.stringify(body)).digest('hex');

function rejectBy(fate: Fate, send: SendRequest): void {
  if (fate.answer === 'error_before') throw refusal('10007', 'An unexpected error occurred.');
  if (fate.refuse === undefined) return;
  const { code, status, title, retryAfter } = fate.refuse;
  const detail = code === '40300' ? blockedDetail(send) : undefined;
  throw refusal(code, detail, {
    status,
    title,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  });
}

const blockedDetail = (send: SendRequest) =>
  `Messages cannot be sent from '${send.from}' to '${send.to}' due to an existing block rule.`;

function accept(
  { clock, config, counters, faults }: SandboxDeps,
  state: Telnyx,
  send: SendRequest,
  fate: Fate,
  headers: SendHeaders,
): Text {
  const leavesAtMs = state.takePlace();
  const now = clock.now();
  const { sent_after_ms, finalized_after_ms, undelivered } = faults.current.telnyx;
  const chance = faults.hits(undelivered) ? failedWith('40008') : null;
  const final = fate.final ?? chance ?? { status: 'delivered' as const, code: null };
  const silent = fate.receipts === 'none';
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
    webhook_url: send.webhook_url ?? config.TELNYX_WEBHOOK_URL,
    wait_seconds: Math.max(0, leavesAtMs - now.getTime()) / 1_000,
    sent_at: null,
    completed_at: null,
    errors: [],
    planned: {
      // A text that expires in the queue never leaves it.
      sent_at_ms: silent || final.code === '40014' ? null : leavesAtMs + sent_after_ms,
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
