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

/** The scheduler's latest figure, and what was sent since midnight UTC when it arrived. */
export interface DueTextsTable {
  singleton: Generated<boolean>;
  until: Date;
  texts: number;
  counted_at: Date;
  arrived_at: Date;
  sent: number;
}
