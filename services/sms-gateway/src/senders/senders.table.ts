import type { SenderState, SenderType } from '@daylift/contracts/senders.http';
import type { Generated, Selectable } from 'kysely';

export interface SendersTable {
  number: string;
  type: SenderType;
  country: string;
  per_second: number;
  per_minute: number | null;
  per_day: number | null;
  campaign: string | null;
  att_per_minute: number | null;
  brand: string | null;
  tmobile_per_day: number | null;
  weight: Generated<number>;
  state: Generated<SenderState>;
  created_at: Date;
  /** How often its rate was halved, for some time after `slowed_at`. */
  slowdowns: Generated<number>;
  slowed_at: Date | null;
}

/** Texts of a day in Pacific time, by number or brand. */
export interface SenderDaysTable {
  counter: string;
  day: string;
  texts: number;
}

export interface SenderHoursTable {
  number: string;
  hour: Date;
  sent: number;
  failed: number;
}

export type SenderRow = Selectable<SendersTable>;
export type SenderSeed = Pick<SenderRow, 'number' | 'type' | 'country' | 'per_second'> &
  Partial<Pick<SenderRow, 'per_minute' | 'att_per_minute' | 'tmobile_per_day'>>;
