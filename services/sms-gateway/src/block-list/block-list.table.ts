import type { Generated } from 'kysely';

/** One row: the latest comparison of our opt-outs with the provider's block list. */
export interface BlockListChecksTable {
  id: Generated<number>;
  started_at: Date;
  /** The next page to read; null once all are read. */
  page: number | null;
  /** Numbers that the provider blocks. */
  blocked: Generated<number>;
  /** Those that weren't opted out here. */
  added: Generated<number>;
  finished_at: Date | null;
  /** Numbers opted out here that the provider doesn't block. */
  only_here: number | null;
  /** Those of them that it blocked at the previous comparison. */
  lifted: number | null;
  /** The provider didn't respond. */
  retry_at: Date | null;
}
