import type { Generated } from 'kysely';

/** People whose next text falls due in the hour that begins then. */
export interface DueHoursTable {
  starts_at: Date;
  people: number;
}

/** What the triggers on `subscribers` have seen change. */
export interface DueHourChangesTable {
  position: Generated<number>;
  starts_at: Date;
  change: number;
}
