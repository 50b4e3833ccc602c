import type { Generated } from 'kysely';

export interface NumberSpendTable {
  number_hash: string;
  texted_at: Generated<Date[]>;
  changed_at: Date;
}

export interface AreaSpendTable {
  area: string;
  hour: Date;
  texts: Generated<number>;
}
