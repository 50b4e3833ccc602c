import { type Static, Type } from 'typebox';
import { Id, Instant } from './fields.ts';

/** An event on NATS, subject `events.<type>`. Consumers deduplicate by `id`, which is also the message id. */
export interface EventEnvelope<T extends string = string, D = unknown> {
  id: string;
  type: T;
  occurred_at: string;
  data: D;
}

export const EventEnvelopeSchema = Type.Object({
  id: Id,
  type: Type.String(),
  occurred_at: Instant,
  data: Type.Unknown(),
});

export type EventTable = Record<string, Type.TSchema>;
export type EventOf<T extends EventTable> = {
  [K in keyof T & string]: EventEnvelope<K, Static<T[K]>>;
}[keyof T & string];
