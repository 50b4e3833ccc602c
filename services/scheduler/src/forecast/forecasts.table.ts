import type { Generated, JSONColumnType, Selectable } from 'kysely';

/** Running totals of a forecast. */
export interface Tally {
  /** One entry per hour, starting with the current one. */
  hours: { texts: number; parts: number }[];
  days: Record<string, { people: number; from_library: number }>;
}

/** Includes the number of skips by reason, so very many rows are counted once. */
export interface ForecastResult extends Tally {
  skips: Record<string, number>;
}

export interface ForecastsTable {
  id: string;
  as_of: Date;
  token: string | null;
  lease_until: Date | null;
  started_at: Date;
  progress: Generated<number>;
  finished_at: Date | null;
  result: JSONColumnType<ForecastResult, string | null, string | null> | null;
}
export type StoredForecast = Selectable<ForecastsTable>;

export interface ForecastSkipsTable {
  rehearsal_id: string;
  key: string;
  user_id: string;
  due_at: Date;
}
