import { hourMs } from '@daylift/clock/durations';
import type { AcceptedText } from '../product-client.ts';
import { type Expected, wallClock } from './oracle.ts';
import type { Person } from './population.ts';

export interface Verdict {
  due: number;
  arrived: number;
  twice: string[];
  /** Due, but not in the provider's log. */
  missing: { person: number; local_date: string; hour: number }[];
  /** In the provider's log, but not due. */
  unexpected: string[];
  /** On the right date, but not at the chosen hour. */
  wrong_hour: string[];
}

/** Transactional texts (welcome, consent request, confirmations, HELP replies) contain a keyword in capitals. */
export const isServiceText = (text: AcceptedText): boolean =>
  /\b(STOP|START|HELP|YES|RESUME|PAUSE)\b|\b[0-9]{6} is your code\b/.test(text.text);

/** Returns the texts accepted before an instant. */
export const acceptedBefore = (log: AcceptedText[], end: Date): AcceptedText[] =>
  log.filter((text) => new Date(text.accepted_at) < end);

/** Compares the provider's log of accepted texts with the expected ones. `lateHours`: how late a text may be. */
export function judge(
  people: Person[],
  expectedOf: (person: Person) => Expected[],
  log: AcceptedText[],
  lateHours = 1,
): Verdict {
  const verdict: Verdict = {
    due: 0,
    arrived: 0,
    twice: [],
    missing: [],
    unexpected: [],
    wrong_hour: [],
  };
  const byPhone = Map.groupBy(
    log.filter((text) => !isServiceText(text)),
    (text) => text.to,
  );
  for (const person of people) {
    const left = [...(byPhone.get(person.phone) ?? [])];
    for (const due of expectedOf(person)) {
      const closes = due.opens.getTime() + lateHours * hourMs;
      const sent = left.filter((text) => {
        const at = new Date(text.accepted_at).getTime();
        return at >= due.opens.getTime() && at < closes;
      });
      for (const text of sent) left.splice(left.indexOf(text), 1);
      if (due.optional && sent.length === 0) continue;
      verdict.due += 1;
      const label = `${person.index} (${person.phone}), ${due.localDate}`;
      if (sent.length === 0) {
        verdict.missing.push({
          person: person.index,
          local_date: due.localDate,
          hour: due.localHour,
        });
        continue;
      }
      verdict.arrived += 1;
      if (sent.length > 1) verdict.twice.push(label);
      const first = sent[0] as AcceptedText;
      const local = wallClock(new Date(first.accepted_at), due.timezone);
      if (local.date !== due.localDate || (lateHours === 1 && local.hour !== due.localHour)) {
        verdict.wrong_hour.push(
          `${label}: ${local.date} ${local.hour} instead of ${due.localHour}`,
        );
      }
    }
    for (const text of left)
      verdict.unexpected.push(`${person.index}: ${text.accepted_at} (${person.settings.timezone})`);
    byPhone.delete(person.phone);
  }
  for (const [phone, texts] of byPhone)
    verdict.unexpected.push(`unknown number ${phone}: ${texts.length} texts`);
  return verdict;
}
