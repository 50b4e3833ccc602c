import type { Consent, Frequency, UnreachableReason } from '@daylift/contracts/fields';
import type { RecordedChange, TrackedField } from '../users/user-changes.table.ts';
import type { User } from '../users/users.table.ts';

export interface SettingsThen {
  timezone: string;
  delivery_hour: number;
  frequency: Frequency;
  weekday: number | null;
  is_active: boolean;
  delivery_enabled: boolean;
  paused_until: string | null;
  consent: Consent;
  opted_out: boolean;
  unreachable: UnreachableReason | null;
}

/** Goes back from the present through all `changes`, newest first. Null if some are unknown. */
export function settingsThen(
  user: User,
  changes: Pick<RecordedChange, 'changes'>[],
  at: Date,
): SettingsThen | null {
  if (at < user.history_since) return null;
  const { timezone, delivery_hour, frequency, weekday, is_active } = user;
  const { delivery_enabled, paused_until, consent, opted_out, unreachable } = user;
  const then: Record<string, unknown> = {
    ...{ timezone, delivery_hour, frequency, weekday, is_active },
    ...{ delivery_enabled, paused_until, consent, opted_out, unreachable },
  };
  for (const { changes: fields } of changes)
    for (const [field, [from]] of Object.entries(fields)) if (field in then) then[field] = from;
  return then as unknown as SettingsThen;
}

export const lastChangeOf = (
  changes: RecordedChange[],
  field: TrackedField,
): RecordedChange | undefined => changes.find((one) => one.changes[field] !== undefined);
