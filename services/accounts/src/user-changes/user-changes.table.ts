import type { Generated, JSONColumnType, Selectable } from 'kysely';

/** Who made a change. `reply`: the person, by text. `system`: nobody asked for it, such as a refusal of the provider. */
export type Actor =
  | { by: 'subscriber' | 'reply' | 'system' }
  | { by: 'admin'; admin_id: string; username: string };

/** What is kept of a change, in the order in which it is told. */
export const trackedFields = [
  'is_active',
  'delivery_enabled',
  'paused_until',
  'consent',
  'opted_out',
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
/** From what to what; of what names a person both are null. */
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
