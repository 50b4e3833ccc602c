import type { Consent, Frequency } from '@daylift/contracts/fields';
import type { Generated, Selectable } from 'kysely';

export interface SubscribersTable {
  user_id: string;
  settings_version: Generated<number>;
  timezone: string | null;
  delivery_hour: number | null;
  frequency: Frequency | null;
  weekday: number | null;
  is_active: Generated<boolean>;
  delivery_enabled: Generated<boolean>;
  paused_until: string | null;
  consent: Generated<Consent>;
  subscription_version: Generated<number>;
  entitled: Generated<boolean>;
  entitled_until: Date | null;
  entitled_since: Date | null;
  opted_out: Generated<boolean>;
  opted_at: Date | null;
  is_deleted: Generated<boolean>;
  first_local_date: string | null;
  next_local_date: string | null;
  next_due_at: Date | null;
}
export type Subscriber = Selectable<SubscribersTable>;

export interface ZonesTable {
  timezone: string;
}
