import type { Generated } from 'kysely';

export interface FreezeTable {
  singleton: Generated<boolean>;
  revision: Generated<number>;
  frozen_at: Date | null;
  /** The admin's username. */
  frozen_by: string | null;
  reason: string | null;
  lifted_at: Date | null;
  skipped_until: Date | null;
}
