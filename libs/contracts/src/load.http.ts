import { type Static, Type } from 'typebox';
import { Count, LocalDate } from './fields.ts';

/** Texts still to send, missed or skipped today, in the operators' time zone. */
export const SchedulerToday = Type.Object({
  date: LocalDate,
  timezone: Type.String(),
  /** Texts without an outcome. `held` counts texts of manual sends held until morning. */
  open: Count,
  held: Count,
  /** Texts that ended unsent, wherever it was decided. */
  missed: Count,
  skipped: Count,
});
export type SchedulerToday = Static<typeof SchedulerToday>;
