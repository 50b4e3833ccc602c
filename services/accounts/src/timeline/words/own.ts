import type { Schedule } from '@daylift/contracts/timeline-parts.http';
import { isLostDay } from '@daylift/delivery/lost-days';
import type { DayFacts } from '../day-facts.ts';
import type { SettingsThen } from '../settings-then.ts';
import { dateInWords, timeOf } from './clock.ts';
import { latestOf, type WholeText } from './texts.ts';

const reasons: Partial<
  Record<NonNullable<Schedule['why_none']>, { present: string; past: string }>
> = {
  opted_out: {
    present: 'texts to your number are stopped',
    past: 'texts to your number were stopped',
  },
  no_consent: {
    present: "we haven't received your YES yet",
    past: "we hadn't received your YES yet",
  },
  delivery_disabled: { present: 'your texts are turned off', past: 'your texts were turned off' },
  inactive: { present: 'your account is on hold', past: 'your account was on hold' },
  not_entitled: {
    present: 'you have no trial or paid plan',
    past: 'you had no trial or paid plan',
  },
};

/** Returns why a subscriber gets or got no text, as the end of a sentence to them. */
export function ownReason(
  why: Schedule['why_none'],
  settings: SettingsThen | null,
  tense: 'present' | 'past',
): string {
  if (why === 'paused') {
    const until = settings?.paused_until ?? null;
    return until === null ? 'you paused your texts' : `you paused until ${dateInWords(until)}`;
  }
  if (why === 'no_consent' && settings?.unreachable) {
    if (settings.unreachable === 'inactive') return mustConfirm;
    return tense === 'present' ? "we can't reach your number" : "we couldn't reach your number";
  }
  const reason = why === null ? undefined : reasons[why];
  return reason?.[tense] ?? "it hasn't been scheduled yet";
}

const mustConfirm = 'you need to confirm your number again';

const reasonsOfSkips = new Set<string | null>([
  ...['paused', 'opted_out', 'no_consent', 'delivery_disabled', 'inactive', 'not_entitled'],
]);

/** Returns what became of a day's text, as a sentence to the subscriber. */
export function ownOutcome({ date, at, now, reader, settings }: DayFacts, text: WholeText): string {
  const { is_test, reason, state } = latestOf(text);
  const handed = text.sent?.handed_at ?? null;
  const sentAt = handed === null ? '' : ` at ${timeOf(handed, reader.timezone)}`;
  const none = (why: string) => `No text on ${dateInWords(date)}: ${why}.`;
  if (is_test && state !== 'planned') return none('our system was being tested');
  switch (state) {
    case 'delivered':
      return `Your text was sent${sentAt} and delivered.`;
    case 'accepted':
    case 'sent':
      return `Your text was sent${sentAt}. Your carrier hasn't confirmed that it arrived.`;
    case 'failed':
      return `Your text was sent${sentAt}, but your carrier didn't deliver it.`;
    case 'refused':
      return none(
        isLostDay(state, reason)
          ? 'our text provider rejected it'
          : "your number can't receive our texts",
      );
    case 'unknown':
      return `We don't know whether your text for ${dateInWords(date)} arrived: we lost our connection while sending it.`;
    case 'skipped':
      if (reason === 'frozen_skipped') return none('we had stopped all texts for a while');
      if (reason === 'batch_canceled') return none('we canceled it');
      if (reason === 'number_inactive') return none(mustConfirm);
      return none(
        reasonsOfSkips.has(reason)
          ? ownReason(reason as Schedule['why_none'], settings, 'past')
          : 'something went wrong on our side',
      );
    case 'missed':
      return none(
        reason === 'no content' ? 'we had no message ready' : "we couldn't send it in time",
      );
    case 'superseded':
      return none('you changed your settings before it was sent');
    default:
      return at > now
        ? `Your text comes at ${timeOf(at, reader.timezone)}.`
        : 'Your text is on its way.';
  }
}
