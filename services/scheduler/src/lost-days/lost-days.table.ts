import type { Generated } from 'kysely';

export interface LostDaysProgressTable {
  singleton: Generated<boolean>;
  published_until: string;
  claimed_until: Date | null;
}
