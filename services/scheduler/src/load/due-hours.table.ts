import type { Generated } from 'kysely';

/** Of the hour that begins then. */
export interface DueHoursTable {
  starts_at: Date;
  /** Those whose next text falls due in it. */
  people: number;
  /** Of the plan, those that fall due in it and have not ended. */
  open_dispatches: Generated<number>;
}

/** What the triggers on `subscribers` and `dispatches` have seen change. */
export interface DueHourChangesTable {
  position: Generated<number>;
  starts_at: Date;
  change: number;
  open_change: Generated<number>;
}
