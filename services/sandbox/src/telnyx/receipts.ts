import { createPrivateKey, randomUUID, sign as signBytes } from 'node:crypto';
import type { Engine } from '../clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { DueQueue } from '../due-queue.ts';
import type { WebhookSender } from '../webhook-sender.ts';
import { failureEntry } from './telnyx-errors.ts';
import { costOf, messageOf, offsetIso, type Text, type TextLog } from './texts.ts';

type Stage = 'sent' | 'finalized';

// An advance waits for work due this soon instead of leaving it for its next stop.
const SOON_MS = 1_000;

/** Moves accepted texts from queued to sent to final as time passes, with a receipt for each step. */
export function createReceipts(deps: SandboxDeps, texts: TextLog, webhooks: WebhookSender) {
  const { clock } = deps;
  const due = new DueQueue<{ text: Text; stage: Stage }>();

  // The public address is for browsers; in a container `localhost` is the sandbox itself.
  const { origin } = new URL(deps.config.PUBLIC_URL);
  const inside = new URL(deps.config.TELNYX_WEBHOOK_URL).origin;
  const reachable = (url: string): string =>
    url.startsWith(`${origin}/`) ? inside + url.slice(origin.length) : url;

  async function step(text: Text, stage: Stage, now: Date): Promise<void> {
    const at = now.toISOString();
    if (stage === 'sent') {
      text.status = 'sent';
      text.sent_at = at;
    } else {
      text.status = text.planned.status;
      text.completed_at = at;
      text.sent_at ??= at;
      if (text.planned.code !== null) text.errors = [failureEntry(text.planned.code)];
      // A text costs nothing only if it never left the queue.
      text.cost = text.planned.code === '40014' ? '0.0000' : costOf(text.parts).amount;
    }
    const event = eventOf(`message.${stage}`, messageOf(text), at);
    const delivered = await webhooks.send(reachable(text.webhook_url), event, text.id);
    // Not earlier: what the journal doesn't have yet is repeated after a restart.
    const isLast = stage === 'finalized' || text.planned.final_at_ms === null;
    if (isLast && delivered !== null) texts.save(text);
  }

  function schedule(text: Text): void {
    const { sent_at_ms, final_at_ms } = text.planned;
    if (sent_at_ms !== null && text.status === 'queued')
      due.add(sent_at_ms, { text, stage: 'sent' });
    if (final_at_ms !== null && text.completed_at === null) {
      due.add(final_at_ms, { text, stage: 'finalized' });
    }
  }

  for (const text of texts.all()) schedule(text);

  const engine: Engine = {
    name: 'telnyx',
    nextAt: () => {
      const next = due.peek();
      return next ? new Date(next.at) : null;
    },
    runUntil: async (now) => {
      let done = 0;
      for (let next = due.peek(); next && next.at <= now.getTime(); next = due.peek()) {
        due.pop();
        void step(next.value.text, next.value.stage, now);
        done += 1;
      }
      return done;
    },
    pending: () => due.countDue(clock.now().getTime() + SOON_MS),
  };
  return {
    engine,
    schedule,
    /** Runs both steps before the send's response. Resolves once the receipts are acknowledged. */
    overtake: async (text: Text) => {
      const { sent_at_ms, final_at_ms } = text.planned;
      if (sent_at_ms !== null) await step(text, 'sent', clock.now());
      if (final_at_ms !== null) await step(text, 'finalized', clock.now());
    },
    clear: () => due.clear(),
  };
}

/** Returns the body of an event, without the `meta` of each attempt. */
export function eventOf(type: string, payload: Record<string, unknown>, at: string): string {
  const data = {
    event_type: type,
    id: randomUUID(),
    occurred_at: offsetIso(at),
    record_type: 'event',
    payload,
  };
  return JSON.stringify({ data });
}

/** Sends webhooks in up to three attempts of two seconds, signed with Ed25519 over `timestamp|body`. */
export function createTelnyxWebhooks(deps: SandboxDeps): WebhookSender {
  const key = createPrivateKey(deps.config.TELNYX_PRIVATE_KEY);
  return deps.webhooks.create({
    name: 'telnyx',
    retryDelaysMs: [500, 4_000],
    timeoutMs: 2_000,
    sign: (rawBody) => {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = signBytes(null, Buffer.from(`${timestamp}|${rawBody}`), key);
      return {
        'telnyx-timestamp': timestamp,
        'telnyx-signature-ed25519': signature.toString('base64'),
      };
    },
    render: (rawBody, attempt, url) =>
      `${rawBody.slice(0, -1)},"meta":${JSON.stringify({ attempt, delivered_to: url })}}`,
  });
}
