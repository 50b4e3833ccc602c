import type { SandboxDeps } from '../deps.ts';
import type { WebhookSender } from '../webhook-sender.ts';
import { openOptOuts } from './opt-outs.ts';
import { createSendQueue } from './pacing.ts';
import { createReceipts, createTelnyxWebhooks } from './receipts.ts';
import type { TelnyxState } from './send-message.ts';
import { openTextLog } from './texts.ts';

export interface Telnyx extends TelnyxState {
  webhooks: WebhookSender;
}

/** Opens the provider's state. Its receipts continue after a restart. */
export function openTelnyx(deps: SandboxDeps): Telnyx {
  const webhooks = createTelnyxWebhooks(deps);
  const texts = openTextLog(deps.store);
  const receipts = createReceipts(deps, texts, webhooks);
  const queue = createSendQueue(deps.clock, deps.faults);
  deps.clock.register(receipts.engine);
  deps.store.onReset(() => {
    texts.clear();
    receipts.clear();
    queue.clear();
  });
  return {
    texts,
    receipts,
    queue,
    webhooks,
    optOuts: openOptOuts(deps.store),
    replays: deps.store.collection('idempotent_sends'),
  };
}
