import { randomUUID } from 'node:crypto';

interface ReceiptOptions {
  status: string;
  provider_id: string;
  to: string;
  type?: 'message.sent' | 'message.finalized';
  event_id?: string;
  code?: string;
}

/** Returns a receipt from the provider. */
export function receipt(options: ReceiptOptions): string {
  const type = options.type ?? (options.status === 'sent' ? 'message.sent' : 'message.finalized');
  return JSON.stringify({
    data: {
      event_type: type,
      id: options.event_id ?? randomUUID(),
      occurred_at: '2027-03-09T15:00:01.000+00:00',
      record_type: 'event',
      payload: {
        id: options.provider_id,
        to: [{ phone_number: options.to, status: options.status }],
        errors: options.code === undefined ? [] : [{ code: options.code, title: 'x' }],
        parts: 1,
        cost: type === 'message.finalized' ? { amount: '0.0070', currency: 'USD' } : null,
        completed_at: null,
      },
    },
    meta: { attempt: 1 },
  });
}
