import type { Generated, JSONColumnType, Selectable } from 'kysely';

/** What a rehearsal has added up so far. */
export interface Tally {
  /** One for each hour from that of its beginning on. */
  hours: { texts: number; parts: number }[];
  days: Record<string, { people: number; from_library: number }>;
}

/** With how many would be skipped for each reason: very many rows, counted once. */
export interface RehearsalResult extends Tally {
  skips: Record<string, number>;
}

export interface RehearsalsTable {
  id: string;
  as_of: Date;
  token: string | null;
  lease_until: Date | null;
  started_at: Date;
  progress: Generated<number>;
  finished_at: Date | null;
  result: JSONColumnType<RehearsalResult, string | null, string | null> | null;
}
export type StoredRehearsal = Selectable<RehearsalsTable>;

export interface RehearsalSkipsTable {
  rehearsal_id: string;
  key: string;
  user_id: string;
  due_at: Date;
}
