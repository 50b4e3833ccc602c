import type { Frequency } from '@daylift/contracts/fields';
import { type Cadence, dayAfter, nextLocalDate } from '@daylift/delivery/next-date';
import { sendInstant } from '@daylift/delivery/send-instant';
import { chosenHourEnds, localDateAt } from '@daylift/delivery/send-windows';
import type { Subscriber } from './subscribers.table.ts';

/**
 * The subscriber's choices, which alone determine the plan. Consent, pauses and so on are checked when a text is due.
 */
export interface Slot {
  timezone: string;
  delivery_hour: number;
  frequency: Frequency;
  weekday: number | null;
}

/** A subscriber with a plan. */
export type Plannable = Subscriber & Slot & { entitled_since: Date };

export interface NextText {
  local_date: string;
  due_at: Date;
}

/**
 * Returns whether texts are planned for this subscriber. Broader than who may receive: paused, opted-out and
 * unconfirmed subscribers are planned and then skipped, so each date has its reason.
 */
export function isPlannable(subscriber: Subscriber): subscriber is Plannable {
  return (
    !subscriber.is_deleted &&
    subscriber.is_active &&
    subscriber.entitled &&
    subscriber.entitled_since !== null &&
    subscriber.timezone !== null
  );
}

/** Returns whether two plans come from the same choices. */
export function sameSlot(one: Nullish<Slot>, other: Nullish<Slot>): boolean {
  return (
    one.timezone === other.timezone &&
    one.delivery_hour === other.delivery_hour &&
    one.frequency === other.frequency &&
    (one.frequency === 'daily' || one.weekday === other.weekday)
  );
}
type Nullish<T> = { [K in keyof T]: T[K] | null };

/** The first text comes on the local day after the entitlement starts. */
export function firstLocalDate(entitledSince: Date, timezone: string): string {
  return dayAfter(localDateAt(entitledSince, timezone));
}

/**
 * Returns the next text after `now`, on a date later than `after` (the last date with a text sent or planned) and at
 * an hour still ahead. So moving west never repeats a date, and moving east skips a date only if its hour was jumped
 * over.
 */
export function nextTextFrom(
  subscriber: Plannable & { first_local_date: string },
  after: string | null,
  now: Date,
  spreadMs: number,
): NextText {
  const today = localDateAt(now, subscriber.timezone);
  const earliest = after !== null && after >= today ? dayAfter(after) : today;
  let date = nextLocalDate(cadenceOf(subscriber), earliest);
  while (slotOn(subscriber, date) <= now) {
    date = nextLocalDate(cadenceOf(subscriber), dayAfter(date));
  }
  return { local_date: date, due_at: dueOn(subscriber, date, spreadMs) };
}

/** Returns the first text on or after a local date, such as the end of a pause. */
export function textOnOrAfter(
  subscriber: Plannable & { first_local_date: string },
  date: string,
  now: Date,
  spreadMs: number,
): NextText {
  return nextTextFrom(subscriber, dayBefore(date), now, spreadMs);
}

const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();

/** Returns the text after the one of `date`, however late: each date gets a row, even if only to be missed. */
export function textAfter(
  subscriber: Plannable & { first_local_date: string },
  date: string,
  spreadMs: number,
): NextText {
  const next = nextLocalDate(cadenceOf(subscriber), dayAfter(date));
  return { local_date: next, due_at: dueOn(subscriber, next, spreadMs) };
}

function cadenceOf(subscriber: Plannable & { first_local_date: string }): Cadence {
  const { frequency, weekday, first_local_date, timezone } = subscriber;
  return { frequency, weekday, first_local_date, timezone };
}

function slotOn(subscriber: Plannable, date: string): Date {
  return sendInstant(date, subscriber.delivery_hour, subscriber.timezone);
}

/** A subscriber always has the same place within the spread of an hour. */
function dueOn(subscriber: Plannable, date: string, spreadMs: number): Date {
  const slot = slotOn(subscriber, date);
  const span = Math.min(
    spreadMs,
    chosenHourEnds(slot, subscriber.timezone).getTime() - slot.getTime(),
  );
  if (span === 0) return slot;
  // The end of a UUID is random in every version.
  const place = Number.parseInt(subscriber.user_id.slice(-8), 16) / 0x1_0000_0000;
  return new Date(slot.getTime() + Math.floor((place * span) / 1000) * 1000);
}
