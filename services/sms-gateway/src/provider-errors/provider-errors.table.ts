import type { Phase } from '../provider/outcome-table.ts';

/** Texts by UTC day and error code of the provider. */
export interface ProviderErrorsTable {
  day: string;
  phase: Phase;
  code: string;
  /** The code opted out the number, because its title named a STOP. */
  is_opt_out: boolean;
  texts: number;
  last_at: Date;
}
