import type { Generated, JSONColumnType, Selectable } from 'kysely';
import type { Tally } from './tally.ts';

export interface RehearsalsTable {
  id: string;
  as_of: Date;
  token: string | null;
  lease_until: Date | null;
  started_at: Date;
  progress: Generated<number>;
  finished_at: Date | null;
  result: JSONColumnType<Tally, string | null, string | null> | null;
}
export type StoredRehearsal = Selectable<RehearsalsTable>;

export interface RehearsalSkipsTable {
  rehearsal_id: string;
  key: string;
  user_id: string;
  due_at: Date;
}
