import { type Static, Type } from 'typebox';
import { Id, Instant } from './fields.ts';

/** A fact on NATS, subject `events.<type>`. `id` is the message id and what consumers remember. */
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

/** A table of one owner's events: type to schema of its data. */
export type EventTable = Record<string, Type.TSchema>;
export type EventOf<T extends EventTable> = {
  [K in keyof T & string]: EventEnvelope<K, Static<T[K]>>;
}[keyof T & string];
