import { hourMs } from '@daylift/clock/durations';
import type { DayAnswer } from '@daylift/contracts/timeline.http';
import { noSendInWords } from '@daylift/delivery/reason-words';
import { localDateOf } from '../users/local-dates.ts';
import type { DayFacts } from './day-facts.ts';
import { changesInWords } from './words/changes.ts';
import { dateInWords, dayOf, momentOf, timeOf, weekdayInWords } from './words/clock.ts';
import { ownReason } from './words/own.ts';
import { standingInWords } from './words/payments.ts';

export interface Answer {
  verdict: DayAnswer['verdict'];
  answer: string;
  /** The answer as worded for the subscriber. */
  own: string;
  because: (string | null)[];
}

/** Returns the first rule that explains why no text was planned for the date. */
export function noPlanReason(facts: DayFacts): Answer {
  if (facts.missing.includes('schedule')) return unavailable('schedule');
  if (facts.date >= facts.today) {
    const ahead = upcomingEvents(facts);
    if (ahead !== null) return ahead;
  }
  return (
    byFirstDay(facts) ??
    bySubscription(facts) ??
    bySettings(facts) ?? {
      verdict: 'not_known',
      answer: 'Unknown: no text was scheduled that day, and no reason was recorded.',
      own: `No text on ${dateInWords(facts.date)}. A change of your hour, time zone or frequency may have skipped it.`,
      because: [changesAround(facts)],
    }
  );
}

const unknown = (answer: string, own: string, ...because: string[]): Answer => ({
  ...{ verdict: 'not_known', answer, own, because },
});
const unavailable = (what: string): Answer =>
  unknown(`Unknown: the ${what} is unavailable right now.`, "We can't tell right now.");
const no = (answer: string, own: string, ...because: (string | null)[]): Answer => ({
  ...{ verdict: 'did_not', answer, own, because },
});

/** Texts are planned two hours ahead; later ones are predicted. Null for a past hour. */
function upcomingEvents(facts: DayFacts): Answer | null {
  const { at, date, today, schedule, standing, reader, settings } = facts;
  const upcoming = (answer: string, own: string, ...because: string[]): Answer => ({
    ...{ verdict: 'to_come', answer, own, because },
  });
  if (schedule === null) return unavailable('schedule');
  const { next_text_at, local_date, why_none } = schedule;
  if (next_text_at === null) {
    const why = why_none === null || why_none === 'setting_up' ? null : noSendInWords(why_none);
    if (date === today && why === null) return null;
    const own = ownReason(why_none, settings, 'present');
    return no(
      'No text is due that day.',
      `No text is planned: ${own}.`,
      why ?? 'No text scheduled yet.',
    );
  }
  if (local_date === date)
    return upcoming(
      `Not yet: it is due at ${timeOf(next_text_at, reader.timezone)}.`,
      `Your text comes at ${timeOf(next_text_at, reader.timezone)}.`,
    );
  if (date === today) return null;
  const next = `The next text is on ${momentOf(next_text_at, reader.timezone)}.`;
  const ownNext = `Your next text comes on ${momentOf(next_text_at, reader.timezone)}.`;
  if (settings?.frequency === 'weekly' && !isChosenWeekday(date, settings.weekday, local_date))
    return no(
      'No text is due that day.',
      `You get your texts on ${weekdayInWords(weekdayOf(settings.weekday, local_date))}s. ${ownNext}`,
      `They get weekly texts, on ${weekdayInWords(weekdayOf(settings.weekday, local_date))}s.`,
      next,
    );
  if (local_date !== null && date < local_date)
    return no('No text is due that day.', ownNext, next);
  const end = standing?.subscription?.entitled_until ?? null;
  if (end !== null && new Date(end) <= at)
    return no(
      'No text is due that day.',
      `No text is planned: your texts end on ${momentOf(end, reader.timezone)}.`,
      `Their texts end on ${momentOf(end, reader.timezone)}.`,
      next,
    );
  return upcoming(
    'Not scheduled yet: texts are scheduled shortly before they are due.',
    'A text is planned for this day.',
    next,
  );
}

function bySubscription({ standing, reader, at }: DayFacts): Answer | null {
  if (standing === null) return unavailable('subscription');
  if (!standing.known)
    return unknown(
      "Unknown: no text was scheduled that day, and their subscription at that time wasn't recorded.",
      'We no longer know why there was no text.',
    );
  const { subscription } = standing;
  if (subscription === null)
    return no(
      "No: they didn't have a subscription yet.",
      "No text: your plan hadn't started yet.",
      "They hadn't completed a checkout.",
    );
  const isOver =
    subscription.entitled_until !== null && new Date(subscription.entitled_until) <= at;
  if (subscription.entitled && !isOver) return null;
  return no(
    'No: they had no trial or paid subscription that day.',
    'No text: you had no trial or paid plan that day.',
    `Their subscription then: ${standingInWords(subscription, reader.timezone)}, since ${momentOf(subscription.changed_at, reader.timezone)}.`,
  );
}

/** Also if the subscription started that day after its hour. */
function byFirstDay({ evening, date, today, settings, reader }: DayFacts): Answer | null {
  const since = evening?.subscription?.entitled_since ?? null;
  const zone = settings?.timezone ?? reader.timezone;
  if (since === null || date > localDateOf(new Date(since), zone).toString()) return null;
  const [verdict, not, own] =
    date < today
      ? (['did_not', 'No', 'No text'] as const)
      : (['to_come', 'Not yet', 'Not yet'] as const);
  return {
    verdict,
    answer: `${not}: the first text comes the day after the subscription starts.`,
    own: `${own}: your first one comes the day after your plan starts.`,
    because: [`It started on ${momentOf(since, reader.timezone)}.`],
  };
}

function bySettings({ settings, date, schedule, user, reader }: DayFacts): Answer | null {
  if (settings === null)
    return unknown(
      "Unknown: no text was scheduled that day, and their settings at that time weren't recorded.",
      'We no longer know why there was no text.',
      `Changes have been recorded since ${dayOf(user.history_since, reader.timezone)}.`,
    );
  if (!settings.is_active)
    return no(
      'No: no text was scheduled.',
      'No text: your account was on hold.',
      noSendInWords('inactive'),
    );
  const first = schedule?.first_local_date ?? null;
  if (settings.frequency === 'weekly' && !isChosenWeekday(date, settings.weekday, first))
    return no(
      "No: it wasn't their weekday.",
      `No text: you got your texts on ${weekdayInWords(weekdayOf(settings.weekday, first))}s.`,
      `They got weekly texts, on ${weekdayInWords(weekdayOf(settings.weekday, first))}s; ${dateInWords(date)} was a ${weekdayInWords(Temporal.PlainDate.from(date).dayOfWeek)}.`,
    );
  return null;
}

/** Without a choice, a weekly subscriber has the weekday of the first text. */
function weekdayOf(weekday: number | null, firstDate: string | null): number {
  if (weekday !== null) return weekday;
  return firstDate === null ? 0 : Temporal.PlainDate.from(firstDate).dayOfWeek;
}

function isChosenWeekday(date: string, weekday: number | null, firstDate: string | null): boolean {
  const chosenDay = weekdayOf(weekday, firstDate);
  return chosenDay === 0 || Temporal.PlainDate.from(date).dayOfWeek === chosenDay;
}

const twoDaysMs = 48 * hourMs;

/** A change of hour or zone can skip a day's text. */
function changesAround({ changes, at }: DayFacts): string | null {
  const words = changes
    .filter((one) => Math.abs(one.changed_at.getTime() - at.getTime()) < twoDaysMs)
    .flatMap(changesInWords);
  if (words.length === 0) return null;
  return `Changes around that day may have skipped its hour: ${words.join('. ')}.`;
}
