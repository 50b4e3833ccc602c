import { isDeepStrictEqual } from 'node:util';
import type { FaultSettings } from '../../faults.ts';
import { newId } from './ids.ts';
import type { Table } from './table.ts';
import type { StoredEvent, Tables } from './tables.ts';

export const API_VERSION = '2026-10-28.endive';

/** What the account's dashboard settings are at Stripe. */
export interface Settings {
  /** The current Stripe fault dials. */
  dials: () => FaultSettings['stripe'];
  /** Address of the sandbox as a browser reaches it, without a slash at the end. */
  origin: () => string;
}

/** The API call that caused a change, or null for the passing of time. */
export type Cause = { id: string; idempotency_key: string | null } | null;

/** A change of state at one instant of the product's time, and the events that it causes. */
export interface Act {
  readonly tables: Tables;
  readonly settings: Settings;
  /** Unix seconds of the product's time. */
  readonly at: number;
  /** Events in the order of their creation, not delivered yet. */
  readonly events: StoredEvent[];
  /** Records an event about an object as it is now. */
  emit(type: string, object: object, previous?: object): void;
}

export function beginAct(tables: Tables, settings: Settings, at: number, cause: Cause): Act {
  const events: StoredEvent[] = [];
  return {
    tables,
    settings,
    at,
    events,
    emit(type, object, previous) {
      const event: StoredEvent = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: at,
        data: previous ? { object, previous_attributes: previous } : { object },
        livemode: false,
        pending_webhooks: 1,
        request: cause ?? { id: null, idempotency_key: null },
        type,
      };
      events.push(tables.events.save(event, { unsent: true }));
    },
  };
}

/** Changes fields of a stored object, with an event unless nothing differs. */
export function amend<T extends { id: string }, H>(
  act: Act,
  table: Table<T, H>,
  object: T,
  change: Partial<T>,
  event: string | null = null,
): T {
  const next = { ...object, ...change };
  const previous = difference(object, next);
  if (Object.keys(previous).length === 0) return object;
  table.save(next);
  if (event) act.emit(event, next, previous);
  return next;
}

type Plain = Record<string, unknown>;

/**
 * Returns the `previous_attributes` of an update event: the old values of what changed, hashes by field,
 * arrays whole, and null for a field that is new.
 */
function difference(before: object, after: object): Plain {
  const old = before as Plain;
  const now = after as Plain;
  const changed = Object.keys({ ...old, ...now }).filter(
    (key) => !isDeepStrictEqual(old[key], now[key]),
  );
  return Object.fromEntries(
    changed.map((key) => [
      key,
      isHash(old[key]) && isHash(now[key]) ? difference(old[key], now[key]) : (old[key] ?? null),
    ]),
  );
}

function isHash(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
