import { type Static, Type } from 'typebox';
import { Count, Instant, LocalDate } from './fields.ts';

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

/** Texts still to send today, in the operators' time zone. */
export const SchedulerToday = Type.Object({
  date: LocalDate,
  timezone: Type.String(),
  /** Texts without an outcome. `held` counts texts of manual sends held until morning. */
  open: Count,
  held: Count,
});
export type SchedulerToday = Static<typeof SchedulerToday>;
