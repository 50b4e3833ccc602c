import type { UnreachableReason } from '@daylift/contracts/fields';
import type { TimelineEntry } from '@daylift/contracts/timeline.http';
import { unreachableInWords } from '@daylift/delivery/reason-words';
import type { RecordedChange, TrackedField } from '../../users/user-changes.table.ts';
import { entry, type Reader } from '../entries.ts';
import { dateInWords, hourInWords, weekdayInWords, zoneInWords } from './clock.ts';

type Value = string | number | boolean | null;
type Describe = (from: Value, to: Value) => string;

const consent: Record<string, string> = {
  granted: 'Gave consent',
  pending: 'Consent requested (reply YES)',
  revoked: 'Consent revoked',
};

const describe: Record<TrackedField, Describe> = {
  is_active: (_, to) => (to ? 'Account activated' : 'Account paused by staff'),
  delivery_enabled: (_, to) => (to ? 'Texts turned on' : 'Texts turned off'),
  paused_until: (_, to) =>
    to === null ? 'Pause ended' : `Texts paused until ${dateInWords(String(to))}`,
  consent: (_, to) => consent[String(to)] ?? 'Consent changed',
  opted_out: (_, to) => (to ? 'Opted out of all texts' : 'Opted back in'),
  unreachable: (_, to) =>
    to === null
      ? 'Number confirmed again'
      : `Texts paused: ${unreachableInWords(to as UnreachableReason)}`,
  delivery_hour: (from, to) =>
    `Delivery time changed from ${hourInWords(Number(from))} to ${hourInWords(Number(to))}`,
  timezone: (from, to) =>
    `Time zone changed from ${zoneInWords(String(from))} to ${zoneInWords(String(to))}`,
  frequency: (from, to) => `Changed from ${from} to ${to} texts`,
  weekday: (_, to) =>
    to === null ? 'Weekday removed' : `Weekly texts moved to ${weekdayInWords(Number(to))}s`,
  phone: () => 'Phone number changed',
  name: () => 'Name changed',
  email: () => 'Email address changed',
};

export function changesInWords({ changes }: Pick<RecordedChange, 'changes'>): string[] {
  return (Object.keys(describe) as TrackedField[]).flatMap((field) => {
    const change = changes[field];
    // The pause says it.
    if (field === 'consent' && changes.unreachable?.[1]) return [];
    return change === undefined ? [] : [describe[field](...change)];
  });
}

export function actorInWords(change: Pick<RecordedChange, 'actor' | 'admin_username'>): string {
  switch (change.actor) {
    case 'subscriber':
      return 'by the subscriber, on the website';
    case 'reply':
      return 'by the subscriber, by text';
    case 'admin':
      return `by ${change.admin_username ?? 'staff'}`;
    case 'system':
      return 'by the system';
  }
}

export function changeEntry(reader: Reader, change: RecordedChange): TimelineEntry {
  const words = changesInWords(change);
  const [only] = words;
  const isOne = words.length === 1 && only !== undefined;
  return entry(reader, {
    id: `change:${change.id}`,
    kind: 'changes',
    at: change.changed_at,
    title: isOne ? only : 'Settings changed',
    detail: isOne ? null : `${words.join('. ')}.`,
    by: actorInWords(change),
  });
}
