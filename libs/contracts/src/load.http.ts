import { type Static, Type } from 'typebox';
import { Count, Instant } from './fields.ts';

export const LoadQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 24, default: 24 }),
});
/**
 * Subscribers with a text in each hour, from the current one to the one in which the span ends, including those who will
 * be skipped.
 */
export const SchedulerLoad = Type.Object({
  hours: Type.Array(Type.Object({ starts_at: Instant, people: Count })),
});
export type SchedulerLoad = Static<typeof SchedulerLoad>;
