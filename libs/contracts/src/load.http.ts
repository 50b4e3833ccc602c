import { type Static, Type } from 'typebox';
import { Count, LocalDate } from './fields.ts';

/** Texts still to send or missed today, in the operators' time zone. */
export const SchedulerToday = Type.Object({
  date: LocalDate,
  timezone: Type.String(),
  /** Texts without an outcome. `held` counts texts of manual sends held until morning. */
  open: Count,
  held: Count,
  /** Texts that ended as missed, wherever it was decided. */
  missed: Count,
});
export type SchedulerToday = Static<typeof SchedulerToday>;
