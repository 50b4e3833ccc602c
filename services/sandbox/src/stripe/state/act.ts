import { newId } from '../api/ids.ts';
import { difference } from './difference.ts';
import type { Table } from './table.ts';
import type { StoredEvent, Tables } from './tables.ts';

export const API_VERSION = '2026-10-28.endive';

/** How this account is set up; at Stripe these are dashboard settings. */
export interface Settings {
  /** Days from one failed payment to the next try; after the last the subscription is canceled. */
  retry_days: () => readonly number[];
  /** How long a renewal invoice stays a draft. */
  draft_seconds: number;
  /** What a completed session with a trial reports; the documentation allows both. */
  trial_payment_status: () => 'no_payment_required' | 'paid' | 'unpaid';
  /** A decline code that every charge gets just now, or null. */
  charge_decline: () => string | null;
  /** Address of the sandbox as a browser reaches it, without a slash at the end. */
  origin: () => string;
}

/** Where a change came from: an API call, or null for what time brought about. */
export type Cause = { id: string; idempotency_key: string | null } | null;

/** One thing being done at one instant of the product's time. Everything that changes state takes it. */
export interface Act {
  readonly tables: Tables;
  readonly settings: Settings;
  /** Unix seconds of the product's time. */
  readonly at: number;
  readonly cause: Cause;
  /** Events in the order they came up, not delivered yet. */
  readonly events: StoredEvent[];
  /** Records an event about an object as it is now. */
  emit(type: string, object: object, previous?: object): void;
}

/** Begins an act. */
export function beginAct(tables: Tables, settings: Settings, at: number, cause: Cause): Act {
  const events: StoredEvent[] = [];
  return {
    tables,
    settings,
    at,
    cause,
    events,
    emit(type, object, previous) {
      const targets = tables.webhookEndpoints
        .ids()
        .map((id) => tables.webhookEndpoints.find(id)!)
        .filter((target) => target.status === 'enabled' && wants(target.enabled_events, type))
        .map((target) => target.id);
      const event: StoredEvent = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: at,
        data: previous ? { object, previous_attributes: previous } : { object },
        livemode: false,
        pending_webhooks: targets.length,
        request: cause ?? { id: null, idempotency_key: null },
        type,
      };
      events.push(tables.events.save(event, { targets }));
    },
  };
}

function wants(enabled: readonly string[], type: string): boolean {
  return enabled.includes('*') || enabled.includes(type);
}

/** Changes fields of a stored object, and says so by an event unless nothing differs. */
export function amend<T extends { id: string }, H>(
  act: Act,
  table: Table<T, H>,
  object: T,
  change: Partial<T>,
  event: string | null,
): T {
  const next = { ...object, ...change };
  const previous = difference(object, next);
  if (Object.keys(previous).length === 0) return object;
  table.save(next, table.hidden(object.id));
  if (event) act.emit(event, next, previous);
  return next;
}
