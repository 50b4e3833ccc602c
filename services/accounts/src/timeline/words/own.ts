import type { Schedule } from '@daylift/contracts/timeline-parts.http';
import { isLostDay } from '@daylift/delivery/lost-days';
import type { DayFacts } from '../day-facts.ts';
import type { SettingsThen } from '../settings-then.ts';
import { dateInWords, timeOf } from './clock.ts';
import { latestOf, type WholeText } from './texts.ts';

/** Returns why a subscriber gets no text, as the end of a sentence to them. */
export function ownReason(why: Schedule['why_none'], settings: SettingsThen | null): string {
  const until = settings?.paused_until ?? null;
  switch (why) {
    case 'paused':
      return until === null ? 'you paused your texts' : `you paused until ${dateInWords(until)}`;
    case 'opted_out':
      return 'texts to your number were stopped';
    case 'no_consent':
      return "we hadn't received your YES yet";
    case 'delivery_disabled':
      return 'your texts were turned off';
    case 'inactive':
      return 'your account was on hold';
    case 'not_entitled':
      return 'you had no trial or paid plan';
    default:
      return "it hasn't been scheduled yet";
  }
}

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
      return `We don't know if your text of ${dateInWords(date)} arrived: our connection broke while it was sent.`;
    case 'skipped':
      return none(
        reasonsOfSkips.has(reason)
          ? ownReason(reason as Schedule['why_none'], settings)
          : 'it failed on our side',
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
