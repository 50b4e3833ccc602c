import type { Generated } from 'kysely';

export interface DueHoursTable {
  starts_at: Date;
  /** Subscribers whose next text is due in this hour. */
  people: number;
  /** Planned dispatches due in this hour without an outcome. */
  open_dispatches: Generated<number>;
}

/** Changes recorded by the triggers on `subscribers` and `dispatches`. */
export interface DueHourChangesTable {
  position: Generated<number>;
  starts_at: Date;
  change: number;
  open_change: Generated<number>;
}
