import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import type { Person, Settings } from './population.ts';

/**
 * Computes who should have got which text from people's actions, by checking every quarter hour of the simulated days
 * on a wall clock made with Intl. Deliberately shares no code with the product.
 */

export interface Fact {
  at: Date;
  settings?: Partial<Settings>;
  consent?: boolean;
  stopped?: boolean;
  entitled?: boolean;
}

/** An expected text: `opens` is its slot; `localDate` and `localHour` are in the person's zone. */
export interface Expected {
  localDate: string;
  localHour: number;
  opens: Date;
  timezone: string;
  optional: boolean;
}

const quarterMs = 15 * minuteMs;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns date and hour of the wall clock in a zone. */
export function wallClock(instant: Date, timezone: string): { date: string; hour: number } {
  let format = formatters.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(timezone, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(instant).map((part) => [part.type, part.value]),
  );
  return { date: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour) };
}

export function expectedTexts(person: Person, facts: Fact[], end: Date): Expected[] {
  const timeline = [...facts].sort((a, b) => a.at.getTime() - b.at.getTime());
  const start = timeline[0]?.at;
  if (start === undefined) return [];
  const state = { ...person.settings, consent: person.consent, stopped: false, entitled: false };
  const expected: Expected[] = [];
  let firstDate: string | null = null;
  let anchor: string | null = null;
  let lastDate = '';
  let previous = wallClock(new Date(start.getTime() - quarterMs), state.timezone);
  for (
    let at = Math.ceil(start.getTime() / quarterMs) * quarterMs;
    at < end.getTime();
    at += quarterMs
  ) {
    const instant = new Date(at);
    while (timeline[0] !== undefined && timeline[0].at <= instant) {
      const fact = timeline.shift() as Fact;
      Object.assign(state, fact.settings);
      if (fact.consent !== undefined) state.consent = fact.consent;
      if (fact.stopped !== undefined) state.stopped = fact.stopped;
      if (fact.entitled !== undefined) state.entitled = fact.entitled;
      if (fact.entitled && firstDate === null) {
        firstDate = dayAfter(wallClock(fact.at, state.timezone).date);
        anchor = firstDate;
      }
      previous = wallClock(new Date(at - quarterMs), state.timezone);
    }
    const local = wallClock(instant, state.timezone);
    // The first moment of the date at which the clock shows the hour or has skipped it.
    const opens =
      local.hour >= state.hour && (previous.date !== local.date || previous.hour < state.hour);
    previous = local;
    if (!opens || local.date <= lastDate || firstDate === null || local.date < firstDate) continue;
    if (person.frequency === 'weekly' && daysBetween(anchor ?? local.date, local.date) % 7 !== 0)
      continue;
    if (!state.entitled || !state.consent || state.stopped || !state.delivery_enabled) continue;
    lastDate = local.date;
    const next = timeline[0];
    expected.push({
      localDate: local.date,
      localHour: local.hour,
      opens: instant,
      timezone: state.timezone,
      optional: next?.entitled === false && next.at.getTime() < at + hourMs,
    });
  }
  return expected;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
}
