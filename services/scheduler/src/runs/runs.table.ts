import type { Generated, Selectable } from 'kysely';

export interface RunsTable {
  id: string;
  requested_at: Date;
  lease_until: Date;
  finished_at: Date | null;
  scheduled: Generated<number>;
  batch_id: string | null;
}
export type Run = Selectable<RunsTable>;
