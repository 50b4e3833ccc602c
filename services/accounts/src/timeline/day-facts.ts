import type { MissingPart, TimelineEntry } from '@daylift/contracts/timeline.http';
import type {
  BillingPart,
  Schedule,
  SchedulePart,
  Standing,
  TextsPart,
} from '@daylift/contracts/timeline-parts.http';
import { sendInstant } from '@daylift/delivery/send-instant';
import type { AccountsDeps } from '../deps.ts';
import { localDateOf } from '../users/local-dates.ts';
import type { RecordedChange } from '../users/user-changes.table.ts';
import type { User } from '../users/users.table.ts';
import { entriesOf, joinTexts, newestFirst, signupEntry } from './compose-timeline.ts';
import type { Reader } from './entries.ts';
import { readParts } from './parts.ts';
import { type SettingsThen, settingsThen } from './settings-then.ts';
import {
  findChanges,
  findChangesAfter,
  findMailedAnswers,
  findMessages,
} from './timeline.repository.ts';
import { latestOf, type WholeText } from './words/texts.ts';

export interface DayFacts {
  date: string;
  today: string;
  now: Date;
  /** When the day's text was due, or would have been. */
  at: Date;
  /** When it was decided not to send it; otherwise `at`. */
  decided_at: Date;
  user: User;
  reader: Reader;
  /** The day's text, if any; the latest one if it was planned again. */
  text: WholeText | undefined;
  /** Null if the history doesn't reach back that far. */
  settings: SettingsThen | null;
  /** Null if billing doesn't respond. */
  standing: Standing | null;
  /** The same at the end of that day. */
  evening: Standing | null;
  schedule: Schedule | null;
  /** From that day and before, newest first. */
  changes: RecordedChange[];
  entries: TimelineEntry[];
  missing: MissingPart[];
}

const before = 100;
const dayLimit = 200;

export async function findDayFacts(
  deps: Pick<AccountsDeps, 'db' | 'exportParts' | 'clock'>,
  user: User,
  reader: Reader,
  date: string,
): Promise<DayFacts> {
  const parts = readParts(deps);
  const span = daySpan(date, user.timezone);
  const path = `/internal/days/${user.id}/${date}?${new URLSearchParams({
    from: span.from.toISOString(),
    until: span.until.toISOString(),
  })}`;
  const [plan, texts, billing, schedule, changes, messages, answers, since] = await Promise.all([
    parts.read<SchedulePart>('schedule', path),
    parts.read<TextsPart>('texts', path),
    parts.read<BillingPart>('billing', path),
    parts.read<Schedule>('schedule', `/internal/schedule/${user.id}`),
    findChanges(deps.db, user.id, { until: span.until, limit: before }),
    findMessages(deps.db, user.id, { ...span, limit: dayLimit }),
    findMailedAnswers(deps.db, user.id, { ...span, limit: dayLimit }),
    findChangesAfter(deps.db, user.id, span.noon),
  ]);
  const text = textOfDay(joinTexts(plan?.planned ?? [], texts?.texts ?? []));
  const at = dueOn(date, text, settingsThen(user, since, span.noon) ?? user);
  const standingAt = (moment: Date) =>
    parts.read<Standing>('billing', `/internal/standing/${user.id}?at=${moment.toISOString()}`);
  const decided_at = skippedAt(text) ?? at;
  // On the signup's day the hour may have been before it.
  const settled = new Date(Math.max(decided_at.getTime(), user.registered_at.getTime()));
  const [later, standing, evening] = await Promise.all([
    findChangesAfter(deps.db, user.id, settled),
    standingAt(decided_at),
    standingAt(span.until),
  ]);
  const ofDay = changes.filter((one) => one.changed_at >= span.from);
  const entries = entriesOf(reader, {
    schedule: plan,
    texts,
    billing,
    changes: ofDay,
    messages,
    answers,
  });
  if (localDateOf(user.registered_at, user.timezone).toString() === date)
    entries.push(signupEntry(reader, user));
  const now = deps.clock.now();
  return {
    ...{ date, now, at, decided_at, user, reader, text, schedule, standing, evening, changes },
    today: localDateOf(now, user.timezone).toString(),
    settings: settingsThen(user, later, settled),
    entries: entries.sort(newestFirst),
    missing: parts.missing,
  };
}

/** In the subscriber's current zone. */
function daySpan(date: string, timezone: string): { from: Date; noon: Date; until: Date } {
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toString();
  return {
    from: sendInstant(date, 0, timezone),
    noon: sendInstant(date, 12, timezone),
    until: new Date(sendInstant(next, 0, timezone).getTime() - 1),
  };
}

/** A sent text wins over an abandoned one; otherwise the scheduler's current one. */
function textOfDay(texts: WholeText[]): WholeText | undefined {
  const daily = texts.filter((one) => latestOf(one).kind === 'daily');
  const real = daily.filter((one) => !latestOf(one).is_test);
  const left = real.find((one) => one.sent?.handed_at);
  return left ?? real.find((one) => one.planned) ?? real[0] ?? daily[0];
}

function dueOn(
  date: string,
  text: WholeText | undefined,
  chosen: { delivery_hour: number; timezone: string },
): Date {
  const due = text === undefined ? undefined : latestOf(text).due_at;
  return due === undefined
    ? sendInstant(date, chosen.delivery_hour, chosen.timezone)
    : new Date(due);
}

/** A text that is late or waits in the queue is checked again before it is sent. */
function skippedAt(text: WholeText | undefined): Date | null {
  if (text === undefined) return null;
  const { state, settled_at } = latestOf(text);
  return state === 'skipped' && settled_at !== null ? new Date(settled_at) : null;
}
