import type { Clock } from '@daylift/clock/clock';
import type { Db } from './database.ts';

export interface ContentDeps {
  db: Db;
  clock: Clock;
  product: { name: string; supportEmail: string };
  operatorTimeZone: string;
}
