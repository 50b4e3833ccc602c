import type { Consent, Frequency } from '@daylift/contracts/fields';
import type { Generated } from 'kysely';

export interface RecipientsTable {
  user_id: string;
  version: Generated<number>;
  subscription_version: Generated<number>;
  revision: Generated<number>;
  phone: string | null;
  phone_proven: Generated<boolean>;
  number_hash: string | null;
  pending_phone: string | null;
  pending_hash: string | null;
  must_confirm: Generated<boolean>;
  number_version: Generated<number>;
  number_changed: Generated<boolean>;
  first_name: Generated<string>;
  timezone: string | null;
  delivery_hour: number | null;
  frequency: Frequency | null;
  weekday: number | null;
  is_active: Generated<boolean>;
  delivery_enabled: Generated<boolean>;
  paused_until: string | null;
  reply_setting_at: Date | null;
  /** The date of the last published STOP, START or change of number. */
  opted_at: Date | null;
  consent: Generated<Consent>;
  entitled: Generated<boolean>;
  entitled_until: Date | null;
  /** Staff made the last change, so the person may not expect a text. */
  by_staff: Generated<boolean>;
  /** Texts in a row that the number couldn't receive. */
  failures: Generated<number>;
  /** When the latest of them was sent. */
  failed_at: Date | null;
  /** Its local date. */
  failed_on: string | null;
  /** When it last got a text of a batch, sent one or agreed to texts, up to a week ago. Null for a new number. */
  reached_at: Date | null;
  deleted_at: Date | null;
  /** A number, or one of the markers in `senders.repository.ts`. */
  sender: Generated<string>;
}
