import { minuteMs } from '@daylift/clock/durations';
import type { DayAnswer, OwnDay } from '@daylift/contracts/timeline.http';
import { unreachableInWords } from '@daylift/delivery/reason-words';
import { localDateOf } from '../users/local-dates.ts';
import type { DayFacts } from './day-facts.ts';
import { lastChangeOf } from './settings-then.ts';
import type { Answer } from './why-nothing-planned.ts';
import { noPlanReason } from './why-nothing-planned.ts';
import { actorInWords, changesInWords } from './words/changes.ts';
import {
  dateInWords,
  hourInWords,
  momentOf,
  timeOf,
  weekdayInWords,
  zoneInWords,
} from './words/clock.ts';
import { ownOutcome } from './words/own.ts';
import { standingInWords } from './words/payments.ts';
import { latestOf, whyOf } from './words/texts.ts';

/** Explains why the subscriber did or didn't get the text of this date. */
export function explainDay(facts: DayFacts): DayAnswer {
  const { verdict, answer, because } = explain(facts);
  return {
    local_date: facts.date,
    verdict,
    answer,
    because: because.filter((one): one is string => one !== null),
    facts_then: describeFacts(facts),
    entries: facts.entries,
    missing: facts.missing,
  };
}

/** Explains a day to the subscriber in one sentence. */
export function explainOwnDay(facts: DayFacts): OwnDay {
  const { verdict, own } = explain(facts);
  return { date: facts.date, verdict, explanation: own };
}

const isBeforeSignup = ({ date, user, reader }: DayFacts): boolean =>
  date < localDateOf(user.registered_at, reader.timezone).toString();

function explain(facts: DayFacts): Answer {
  const { user, reader, text } = facts;
  if (isBeforeSignup(facts))
    return {
      verdict: 'did_not',
      answer: "No: they hadn't signed up yet.",
      own: "You hadn't signed up yet.",
      because: [`They signed up on ${momentOf(user.registered_at, reader.timezone)}.`],
    };
  return text === undefined
    ? noPlanReason(facts)
    : { ...outcomeInWords(facts, text), own: ownOutcome(facts, text) };
}

function outcomeInWords(facts: DayFacts, text: NonNullable<DayFacts['text']>): Omit<Answer, 'own'> {
  const { sent } = text;
  const { is_test, reason, state } = latestOf(text);
  const { timezone } = facts.reader;
  const why = whyOf(text);
  const due = timeOf(facts.at, timezone);
  const handed = sent?.handed_at ? timeOf(sent.handed_at, timezone) : due;
  if (is_test && state !== 'planned')
    return {
      verdict: 'did_not',
      answer: 'No: testing mode was on, so their text went to the test number.',
      because: [],
    };
  switch (state) {
    case 'delivered':
      return {
        verdict: 'got_it',
        answer: `Yes: it was delivered at ${arrivalOf(text, timezone)}.`,
        because: [lateness(facts, text)],
      };
    case 'accepted':
    case 'sent':
      return {
        verdict: 'got_it',
        answer: `Probably: it was sent at ${handed}, but the carrier hasn't confirmed delivery.`,
        because: [why],
      };
    case 'failed':
      return {
        verdict: 'did_not',
        answer: `No: it was sent at ${handed} but not delivered.`,
        because: [why],
      };
    case 'refused':
      return { verdict: 'did_not', answer: 'No: the provider rejected it.', because: [why] };
    case 'unknown':
      return {
        verdict: 'not_known',
        answer: `Unknown: the call to the provider at ${handed} was interrupted. It isn't retried.`,
        because: [why],
      };
    case 'skipped':
      return {
        verdict: 'did_not',
        answer: `No: it was due at ${due} but was not sent.`,
        because: [why, actorName(facts, reason)],
      };
    case 'missed':
      return {
        verdict: 'did_not',
        answer: `No: it was due at ${due} but couldn't be sent in time.`,
        because: [why],
      };
    case 'superseded':
      return {
        verdict: 'did_not',
        answer: `No: the text scheduled for ${due} was canceled.`,
        because: [why, changesOfDay(facts)],
      };
    case 'planned':
      return facts.at > facts.now
        ? { verdict: 'to_come', answer: `Not yet: it is scheduled for ${due}.`, because: [] }
        : {
            verdict: 'to_come',
            answer: `Not yet: it was due at ${due} and hasn't been queued.`,
            because: ['The scheduler is behind or not running.'],
          };
    default:
      return { verdict: 'to_come', answer: `In progress: it was due at ${due}.`, because: [why] };
  }
}

function arrivalOf({ sent }: NonNullable<DayFacts['text']>, timezone: string): string {
  const receipt = sent?.receipts.find((one) => one.status === 'delivered');
  const at = receipt?.occurred_at ?? sent?.finalized_at ?? sent?.handed_at;
  return at ? timeOf(at, timezone) : 'an unknown time';
}

const tenMinutesMs = 10 * minuteMs;

function lateness(
  { at, reader }: DayFacts,
  { sent }: NonNullable<DayFacts['text']>,
): string | null {
  if (!sent?.handed_at || Date.parse(sent.handed_at) - at.getTime() < tenMinutesMs) return null;
  return `It was due at ${timeOf(at, reader.timezone)} and was sent late, at ${timeOf(sent.handed_at, reader.timezone)}.`;
}

const fieldOf = {
  inactive: 'is_active',
  delivery_disabled: 'delivery_enabled',
  paused: 'paused_until',
  no_consent: 'consent',
  opted_out: 'opted_out',
} as const;

/** Returns the change behind a reason, with its time and actor. */
export function actorName(facts: DayFacts, reason: string | null): string | null {
  const field = fieldOf[reason as keyof typeof fieldOf];
  if (field === undefined) return null;
  const change = lastChangeOf(
    facts.changes.filter((one) => one.changed_at <= facts.decided_at),
    field,
  );
  if (change === undefined) return null;
  const { unreachable } = change.changes;
  const words = changesInWords({
    changes: { [field]: change.changes[field], ...(unreachable && { unreachable }) },
  })[0];
  return `${words} ${actorInWords(change)} on ${momentOf(change.changed_at, facts.reader.timezone)}.`;
}

export function changesOfDay({ changes, date, reader }: DayFacts): string | null {
  const words = changes
    .filter((one) => localDateOf(one.changed_at, reader.timezone).toString() === date)
    .flatMap(changesInWords);
  return words.length === 0 ? null : `${words.join('. ')}.`;
}

function describeFacts(facts: DayFacts): DayAnswer['facts_then'] {
  const { settings, standing, user, reader } = facts;
  if (isBeforeSignup(facts)) return [];
  const fact = (label: string, value: string) => ({ label, value });
  const plan = fact(
    'Subscription',
    standing?.known !== true
      ? 'Not known'
      : standing.subscription === null
        ? 'None'
        : standingInWords(standing.subscription, reader.timezone),
  );
  if (settings === null)
    return [
      fact('Settings', `Not recorded before ${momentOf(user.history_since, reader.timezone)}`),
      plan,
    ];
  const weekly = `Weekly${settings.weekday === null ? '' : `, on ${weekdayInWords(settings.weekday)}s`}`;
  const consent = { granted: 'Agreed', pending: 'No YES yet', revoked: 'Revoked' };
  return [
    fact(
      'Delivery time',
      `${hourInWords(settings.delivery_hour)}, ${zoneInWords(settings.timezone)}`,
    ),
    fact('Frequency', settings.frequency === 'daily' ? 'Daily' : weekly),
    fact('Account', settings.is_active ? 'Active' : 'Paused by staff'),
    fact('Texts', settings.delivery_enabled ? 'On' : 'Off'),
    fact(
      'Pause',
      settings.paused_until === null ? 'None' : `Until ${dateInWords(settings.paused_until)}`,
    ),
    fact(
      'Consent',
      settings.unreachable === null
        ? consent[settings.consent]
        : `No YES yet: ${unreachableInWords(settings.unreachable)}`,
    ),
    fact('STOP', settings.opted_out ? 'Stopped' : 'No'),
    plan,
  ];
}
