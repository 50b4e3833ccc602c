import type { Collection, Store } from '../store.ts';
import type { FinalStatus } from './magic-numbers.ts';
import type { ErrorEntry } from './telnyx-errors.ts';

/** A text that the provider accepted. The fields up to `cost` are the oracle that tests read. */
export interface Text {
  id: string;
  to: string;
  from: string;
  text: string;
  /** Last segment of the webhook's path: the product's own name for this send. */
  dispatch: string | null;
  /** The product's time. */
  accepted_at: string;
  status: 'queued' | 'sent' | FinalStatus;
  parts: number;
  encoding: 'GSM-7' | 'UCS-2';
  /** US dollars, known once the text has ended. */
  cost: string | null;
  accepted_wall_at: string;
  idempotency_key: string | null;
  /** What the SDK says of itself; more than 0 is a resend. */
  retry_count: number;
  messaging_profile_id: string;
  webhook_url: string | null;
  webhook_failover_url: string | null;
  wait_seconds: number;
  sent_at: string | null;
  completed_at: string | null;
  errors: ErrorEntry[];
  /** How this one ends, decided when it was accepted. */
  planned: {
    sent_at_ms: number | null;
    final_at_ms: number | null;
    status: FinalStatus;
    code: string | null;
  };
}

/** The log of accepted texts, in the order of acceptance, with a look-up by recipient. */
export interface TextLog {
  get(id: string): Text | undefined;
  save(text: Text): void;
  byRecipient(to: string): readonly Text[];
  all(): IterableIterator<Text>;
  readonly size: number;
  clear(): void;
}

export function openTextLog(store: Store): TextLog {
  const texts: Collection<Text> = store.collection('texts');
  const byTo = new Map<string, Text[]>();
  const index = (text: Text) => {
    const list = byTo.get(text.to);
    if (list === undefined) byTo.set(text.to, [text]);
    else list.push(text);
  };
  for (const text of texts.values()) index(text);
  return {
    get: (id) => texts.get(id),
    save: (text) => {
      if (texts.get(text.id) === undefined) index(text);
      texts.put(text.id, text);
    },
    byRecipient: (to) => byTo.get(to) ?? [],
    all: () => texts.values(),
    get size() {
      return texts.size;
    },
    clear: () => byTo.clear(),
  };
}

const RATE_UNITS = 40;
const CARRIER_FEE_UNITS = 30;

/** In ten-thousandths of a dollar until the last moment, so that sums are exact. */
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

const ORGANIZATION = 'f5586561-8ff0-4291-a0ac-84fe544797bd';

/** The message as the API and the receipts show it: `to` an array, `from` an object, no status at the top. */
export function messageOf(text: Text): Record<string, unknown> {
  const cost = costOf(text.parts);
  const usd = (amount: string) => ({ amount, currency: 'USD' });
  return {
    record_type: 'message',
    direction: 'outbound',
    id: text.id,
    type: 'SMS',
    messaging_profile_id: text.messaging_profile_id,
    organization_id: ORGANIZATION,
    from: { phone_number: text.from, carrier: 'Telnyx', line_type: 'Wireless' },
    to: [
      {
        phone_number: text.to,
        status: text.status,
        carrier: 'T-MOBILE USA, INC.',
        line_type: 'Wireless',
      },
    ],
    cc: [],
    text: text.text,
    subject: null,
    media: [],
    encoding: text.encoding,
    parts: text.parts,
    tags: [],
    cost: text.cost === null ? null : usd(text.cost),
    cost_breakdown:
      text.cost === null ? null : { rate: usd(cost.rate), carrier_fee: usd(cost.carrier_fee) },
    smart_encoding_applied: false,
    wait_seconds: text.wait_seconds,
    received_at: offsetIso(text.accepted_at),
    sent_at: text.sent_at === null ? null : offsetIso(text.sent_at),
    completed_at: text.completed_at === null ? null : offsetIso(text.completed_at),
    valid_until: offsetIso(new Date(Date.parse(text.accepted_at) + 3_600_000).toISOString()),
    errors: text.errors,
    webhook_url: text.webhook_url,
    webhook_failover_url: text.webhook_failover_url,
    tcr_campaign_id: 'CNZO3VL',
    tcr_campaign_billable: true,
    tcr_campaign_registered: 'REGISTERED',
  };
}

/** Telnyx writes +00:00 where we write Z. */
export function offsetIso(iso: string): string {
  return iso.replace('Z', '+00:00');
}
