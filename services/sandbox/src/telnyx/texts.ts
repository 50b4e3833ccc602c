import type { FinalStatus } from '../faults.ts';
import type { Collection, Store } from '../store.ts';
import type { ErrorEntry } from './telnyx-errors.ts';

/** An accepted text. Tests check the product against the fields up to `cost`. */
export interface Text {
  id: string;
  to: string;
  from: string;
  text: string;
  /** Last segment of the webhook's path: the product's id of this send. */
  dispatch: string | null;
  /** The product's time. */
  accepted_at: string;
  status: 'queued' | 'sent' | FinalStatus;
  parts: number;
  encoding: 'GSM-7' | 'UCS-2';
  /** US dollars, known once the text is final. */
  cost: string | null;
  accepted_wall_at: string;
  idempotency_key: string | null;
  /** The SDK's retry count; more than 0 is a resend. */
  retry_count: number;
  webhook_url: string;
  wait_seconds: number;
  sent_at: string | null;
  completed_at: string | null;
  errors: ErrorEntry[];
  /** Final status, decided on acceptance. */
  planned: {
    sent_at_ms: number | null;
    final_at_ms: number | null;
    status: FinalStatus;
    code: string | null;
  };
}

export type TextLog = ReturnType<typeof openTextLog>;

/** Opens the log of accepted texts, in the order of acceptance. */
export function openTextLog(store: Store) {
  const texts: Collection<Text> = store.collection('texts');
  const byTo = new Map<string, Text[]>();
  const index = (text: Text) => {
    const list = byTo.get(text.to);
    if (list === undefined) byTo.set(text.to, [text]);
    else list.push(text);
  };
  for (const text of texts.values()) index(text);
  return {
    get: (id: string) => texts.get(id),
    save: (text: Text) => {
      if (texts.get(text.id) === undefined) index(text);
      texts.put(text.id, text);
    },
    byRecipient: (to: string): readonly Text[] => byTo.get(to) ?? [],
    all: () => texts.values(),
    clear: () => byTo.clear(),
  };
}

const RATE_UNITS = 40;
const CARRIER_FEE_UNITS = 30;

/** Computes in ten-thousandths of a dollar, so sums are exact. */
export function costOf(parts: number): { amount: string; rate: string; carrier_fee: string } {
  return {
    amount: dollars(parts * (RATE_UNITS + CARRIER_FEE_UNITS)),
    rate: dollars(parts * RATE_UNITS),
    carrier_fee: dollars(parts * CARRIER_FEE_UNITS),
  };
}

function dollars(units: number): string {
  return `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`;
}

/** The one messaging profile of the sandbox; SMS_FROM belongs to it. */
export const PROFILE_ID = '16fd2706-8baf-433b-82eb-8c7fada847da';
const ORGANIZATION = 'f5586561-8ff0-4291-a0ac-84fe544797bd';

/** Returns the message as the API and the receipts show it: without a status at the top. */
export function messageOf(text: Text): Record<string, unknown> {
  const cost = costOf(text.parts);
  const usd = (amount: string) => ({ amount, currency: 'USD' });
  return {
    record_type: 'message',
    direction: 'outbound',
    id: text.id,
    type: 'SMS',
    messaging_profile_id: PROFILE_ID,
    organization_id: ORGANIZATION,
    from: { phone_number: text.from, carrier: 'Telnyx', line_type: 'Wireless' },
    to: [{ phone_number: text.to, status: text.status, carrier: 'T-MOBILE USA, INC.' }],
    text: text.text,
    media: [],
    encoding: text.encoding,
    parts: text.parts,
    tags: [],
    cost: text.cost === null ? null : usd(text.cost),
    cost_breakdown:
      text.cost === null ? null : { rate: usd(cost.rate), carrier_fee: usd(cost.carrier_fee) },
    wait_seconds: text.wait_seconds,
    received_at: offsetIso(text.accepted_at),
    sent_at: text.sent_at === null ? null : offsetIso(text.sent_at),
    completed_at: text.completed_at === null ? null : offsetIso(text.completed_at),
    valid_until: offsetIso(new Date(Date.parse(text.accepted_at) + 3_600_000).toISOString()),
    errors: text.errors,
    webhook_url: text.webhook_url,
    webhook_failover_url: null,
  };
}

/** Returns the instant as Telnyx writes it, with +00:00 instead of Z. */
export function offsetIso(iso: string): string {
  return iso.replace('Z', '+00:00');
}
