import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { Agent } from 'node:http';
import { call, type Response } from './http-load.ts';

export interface SentText {
  id: string;
  from: string;
  to: string;
  text: string;
  webhook_url: string;
}

export type ReceiptType = 'message.sent' | 'message.finalized';

/** Creates a sender of delivery receipts, signed as Telnyx signs them. */
export function createReceiptSender(options: { privateKey: string; now(): Date }) {
  const key = createPrivateKey(options.privateKey);
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  return {
    post: (text: SentText, type: ReceiptType): Promise<Response> => {
      const body = receiptOf(text, type, options.now().toISOString());
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64');
      return call(agent, text.webhook_url.replace('//localhost:', '//127.0.0.1:'), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'telnyx-timestamp': timestamp,
          'telnyx-signature-ed25519': signature,
        },
        body,
      });
    },
    close: () => agent.destroy(),
  };
}

function receiptOf(text: SentText, type: ReceiptType, at: string): string {
  const isFinal = type === 'message.finalized';
  return JSON.stringify({
    data: {
      event_type: type,
      id: randomUUID(),
      occurred_at: at,
      record_type: 'event',
      payload: {
        record_type: 'message',
        direction: 'outbound',
        id: text.id,
        type: 'SMS',
        from: { phone_number: text.from },
        to: [{ phone_number: text.to, status: isFinal ? 'delivered' : 'sent' }],
        text: text.text,
        encoding: 'GSM-7',
        parts: 1,
        cost: isFinal ? { amount: '0.0070', currency: 'USD' } : null,
        errors: [],
        received_at: at,
        sent_at: at,
        completed_at: isFinal ? at : null,
      },
    },
    meta: { attempt: 1, delivered_to: text.webhook_url },
  });
}
