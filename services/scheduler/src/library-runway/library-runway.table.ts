import type { CategoryRunway } from '@daylift/contracts/library-runway.http';
import type { JSONColumnType } from 'kysely';

export interface LibraryRunwayTable {
  singleton: boolean;
  computed_at: Date;
  library_key: string;
  categories: JSONColumnType<CategoryRunway[], string, string>;
}

/** Warnings that were sent and still apply. */
export interface LibraryWarningsTable {
  category: string;
  threshold_days: number;
  warned_at: Date;
}
