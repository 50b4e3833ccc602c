import { hourMs } from '@daylift/clock/durations';
import type { SendWindow } from '@daylift/contracts/scheduler.events';
import { sendInstant } from './send-instant.ts';

/** Outside 08:00-21:00 local time nothing is sent, except in the subscriber's chosen hour. */
const morningHour = 8;
const nightHour = 21;
/** How late a text may be sent. Late is worse than never. */
const catchUpMs = 3 * hourMs;

interface Span {
  opens: number;
  closes: number;
}

export function localDateAt(instant: Date, timeZone: string): string {
  return zoned(instant, timeZone).toPlainDate().toString();
}

/** Returns whether a date exists in `timeZone`: a zone that crosses the date line skips one. */
export function dateExists(localDate: string, timeZone: string): boolean {
  return localDateAt(new Date(startOfDay(localDate, timeZone)), timeZone) === localDate;
}

export function isQuietHours(instant: Date, timeZone: string): boolean {
  const { hour } = zoned(instant, timeZone);
  return hour < morningHour || hour >= nightHour;
}

export function nextMorning(instant: Date, timeZone: string): Date {
  const today = zoned(instant, timeZone).toPlainDate();
  for (let days = 0; ; days += 1) {
    const morning = morningOf(today.add({ days }).toString(), timeZone);
    if (morning > instant) return morning;
  }
}

/** Returns the end of quiet hours on a date. */
export const morningOf = (localDate: string, timeZone: string): Date =>
  sendInstant(localDate, morningHour, timeZone);

/**
 * Returns when the text of `localDate` may be sent: from its due time to the end of the chosen hour (or of its
 * replacement if the clocks skip it), and then, if late, until 3 hours after the slot, outside quiet hours and on the
 * same date. Adjacent spans are merged.
 */
export function sendWindows(
  localDate: string,
  hour: number,
  timeZone: string,
  dueAt: Date,
): SendWindow[] {
  const { slot, hourEnds, daytime } = slotOf(localDate, hour, timeZone);
  const due = dueAt.getTime();
  const chosen = { opens: Math.max(slot, due), closes: hourEnds };
  const catchUp = {
    opens: Math.max(hourEnds, daytime.opens, due),
    closes: Math.min(slot + catchUpMs, daytime.closes),
  };
  return joined([chosen, catchUp]);
}

const slots = new Map<string, { slot: number; hourEnds: number; daytime: Span }>();
const maxSlots = 1_000;

/** Computed once for all texts of an hour. */
function slotOf(localDate: string, hour: number, timeZone: string) {
  const key = `${localDate} ${hour} ${timeZone}`;
  let found = slots.get(key);
  if (found === undefined) {
    const slot = sendInstant(localDate, hour, timeZone);
    const hourEnds = chosenHourEnds(slot, timeZone).getTime();
    found = { slot: slot.getTime(), hourEnds, daytime: daytimeOf(localDate, timeZone) };
    if (slots.size >= maxSlots) slots.clear();
    slots.set(key, found);
  }
  return found;
}

/**
 * Returns how long the clock shows the hour of `slot`: 60 minutes, or less if the slot starts within an hour (after a
 * gap of 30 minutes) or the clocks change before the hour ends.
 */
export function chosenHourEnds(slot: Date, timeZone: string): Date {
  const start = zoned(slot, timeZone);
  const full = slot.getTime() + hourMs - (slot.getTime() - startOfHour(start));
  const change = start.getTimeZoneTransition('next');
  const cut = change !== null && change.hour !== start.hour ? change.epochMilliseconds : full;
  return new Date(Math.min(full, cut));
}

/**
 * Returns when an announcement may be sent: from its local time for at most 3 hours, outside quiet hours. One set for
 * before 08:00 waits until then; null for 21:00 or later.
 */
export function announcementWindow(
  localDate: string,
  time: string,
  timeZone: string,
): SendWindow | null {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const daytime = daytimeOf(localDate, timeZone);
  const at = sendInstant(localDate, hour, timeZone, minute).getTime();
  const opens = Math.max(at, daytime.opens);
  return joined([{ opens, closes: Math.min(opens + catchUpMs, daytime.closes) }])[0] ?? null;
}

/**
 * Returns when a manual send made at `now` may be sent: immediately, and while retries are useful. Until 21:00 and for
 * at most 3 hours; in quiet hours, which the operator confirmed, for one hour; never into the recipient's next date,
 * which has its own text.
 */
export function manualSendWindow(now: Date, timeZone: string): SendWindow {
  const today = zoned(now, timeZone).toPlainDate();
  const night = isQuietHours(now, timeZone);
  const closes = Math.min(
    now.getTime() + (night ? hourMs : catchUpMs),
    night ? Number.POSITIVE_INFINITY : daytimeOf(today.toString(), timeZone).closes,
    startOfDay(today.add({ days: 1 }).toString(), timeZone),
  );
  return { opens_at: now.toISOString(), closes_at: new Date(closes).toISOString() };
}

/**
 * Returns when a text that someone's action caused may be sent: immediately, whatever the hour, and if it's held up for
 * more than an hour, outside quiet hours only.
 */
export function responseWindows(opensAt: Date, hours: number, timeZone: string): SendWindow[] {
  const first = opensAt.getTime();
  const last = first + hours * hourMs;
  const spans: Span[] = [{ opens: first, closes: Math.min(first + hourMs, last) }];
  const lastDate = zoned(new Date(last), timeZone).toPlainDate();
  let date = zoned(opensAt, timeZone).toPlainDate();
  for (; Temporal.PlainDate.compare(date, lastDate) <= 0; date = date.add({ days: 1 })) {
    const { opens, closes } = daytimeOf(date.toString(), timeZone);
    spans.push({ opens: Math.max(opens, first), closes: Math.min(closes, last) });
  }
  return joined(spans);
}

function zoned(instant: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone);
}

function startOfHour(at: Temporal.ZonedDateTime): number {
  return at.epochMilliseconds - ((at.minute * 60 + at.second) * 1000 + at.millisecond);
}

function startOfDay(localDate: string, timeZone: string): number {
  return sendInstant(localDate, 0, timeZone).getTime();
}

function daytimeOf(localDate: string, timeZone: string): Span {
  return {
    opens: morningOf(localDate, timeZone).getTime(),
    closes: sendInstant(localDate, nightHour, timeZone).getTime(),
  };
}

function joined(spans: Span[]): SendWindow[] {
  const result: Span[] = [];
  for (const span of spans.filter((one) => one.opens < one.closes)) {
    const last = result.at(-1);
    if (last !== undefined && span.opens <= last.closes)
      last.closes = Math.max(last.closes, span.closes);
    else result.push({ ...span });
  }
  return result.map((span) => ({
    opens_at: new Date(span.opens).toISOString(),
    closes_at: new Date(span.closes).toISOString(),
  }));
}
