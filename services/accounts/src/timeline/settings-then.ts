import type { Consent, Frequency } from '@daylift/contracts/fields';
import type { RecordedChange, TrackedField } from '../user-changes/user-changes.table.ts';
import type { User } from '../users/users.table.ts';

/** What somebody had chosen, and might receive, at a moment. */
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
}

/** Goes back from the present through all changes since (`changes`, newest first). Null where not all of them are known. */
export function settingsThen(
  user: User,
  changes: Pick<RecordedChange, 'changes'>[],
  at: Date,
): SettingsThen | null {
  if (at < user.history_since) return null;
  const { timezone, delivery_hour, frequency, weekday, is_active } = user;
  const { delivery_enabled, paused_until, consent, opted_out } = user;
  const then: Record<string, unknown> = {
    ...{ timezone, delivery_hour, frequency, weekday, is_active },
    ...{ delivery_enabled, paused_until, consent, opted_out },
  };
  for (const { changes: fields } of changes)
    for (const [field, [from]] of Object.entries(fields)) if (field in then) then[field] = from;
  return then as unknown as SettingsThen;
}

/** The last change of a setting before a moment; `changes` newest first. */
export const lastChangeOf = (
  changes: RecordedChange[],
  field: TrackedField,
): RecordedChange | undefined => changes.find((one) => one.changes[field] !== undefined);
