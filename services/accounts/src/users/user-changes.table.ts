import type { Generated, JSONColumnType, Selectable } from 'kysely';

/**
 * Who made a change. `reply`: the subscriber, by text. `system`: caused by no person, such as a refusal of the
 * provider.
 */
export type Actor =
  | { by: 'subscriber' | 'reply' | 'system' }
  | { by: 'admin'; admin_id: string; username: string };

export const trackedFields = [
  'is_active',
  'delivery_enabled',
  'paused_until',
  'consent',
  'opted_out',
  'unreachable',
  'delivery_hour',
  'timezone',
  'frequency',
  'weekday',
  'phone',
  'name',
  'email',
] as const;
export type TrackedField = (typeof trackedFields)[number];
type Value = string | number | boolean | null;
/** Old and new value; both null for personal data. */
export type FieldChanges = Partial<Record<TrackedField, [Value, Value]>>;

export interface UserChangesTable {
  id: Generated<number>;
  user_id: string;
  changed_at: Date;
  actor: Actor['by'];
  admin_id: string | null;
  admin_username: string | null;
  changes: JSONColumnType<FieldChanges>;
}
export type RecordedChange = Selectable<UserChangesTable>;
