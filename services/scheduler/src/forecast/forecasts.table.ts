import type { SenderLoad } from '@daylift/contracts/senders.http';
import type { Generated, JSONColumnType, Selectable } from 'kysely';
import type { Drained, Wave } from './drain.ts';

/** Running totals of a forecast. */
export interface Tally {
  /** One entry per hour, starting with the current one. */
  hours: { texts: number; parts: number; senders: Map<string, number> }[];
  waves: Map<string, Wave>;
  days: Record<string, { people: number; from_library: number }>;
  /** As of the last page. */
  pool: Pick<SenderLoad, 'account_per_second' | 'senders'>;
}

/** Includes the number of skips by reason, so very many rows are counted once. */
export interface ForecastResult extends Pick<Tally, 'days'> {
  hours: (Drained & { texts: number; parts: number })[];
  skips: Record<string, number>;
  /** Numbers of paused senders. The previous version doesn't store them. */
  paused?: string[];
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
