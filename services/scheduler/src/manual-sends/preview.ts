import type { Audience, ManualSendPreview } from '@daylift/contracts/scheduler.http';
import { sendRefusal } from '@daylift/delivery/eligibility';
import { withSampleName } from '@daylift/delivery/first-name';
import { countSegments } from '@daylift/delivery/segments';
import { localDateAt } from '@daylift/delivery/send-windows';
import { timesDecimal } from '@daylift/delivery/times-decimal';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDeps } from '../deps.ts';
import { addUpSubscribers } from '../subscribers/sample.ts';
import { readPrice } from './read-price.ts';
import { chooseRecipients } from './recipients.ts';

/** Returns whether it is a daily message for a future date in the operator's zone. */
export const isEarly = (
  { category, scheduled_date }: ScheduledMessage,
  now: Date,
  operatorTimezone: string,
): boolean =>
  category === 'daily_motivation' && localDateAt(now, operatorTimezone) < scheduled_date;

/** Returns what a manual send of this message would do now. */
export async function previewManualSend(
  deps: SchedulerDeps,
  message: ScheduledMessage,
): Promise<ManualSendPreview> {
  const price = await readPrice(deps);
  const now = deps.clock.now();
  const { figures, is_estimate } = await addUpSubscribers(deps.db, async (subscribers) => {
    const recipients = await chooseRecipients(deps.db, message, subscribers, now);
    return [
      recipients.length,
      recipients.filter((one) => one.is_quiet).length,
      recipients.filter((one) => one.is_off_day).length,
    ];
  });
  const [recipients = 0, in_quiet_hours = 0, off_day = 0] = figures;
  const { parts } = countSegments(withSampleName(message.content));
  return {
    scheduled_message_id: message.id,
    scheduled_message_title: message.title,
    category: message.category,
    scheduled_date: message.scheduled_date,
    is_early: isEarly(message, now, deps.operatorTimezone),
    recipients,
    is_estimate,
    in_quiet_hours,
    off_day,
    parts_per_text: parts,
    estimated_cost: timesDecimal(price.per_part, parts * recipients),
    currency: price.currency,
  };
}

/** Counts subscribers who may receive a text now, regardless of today's texts, with the price per part. */
export async function readAudience(deps: SchedulerDeps): Promise<Audience> {
  const price = await readPrice(deps);
  const now = deps.clock.now();
  const dates = new Map<string, string>();
  const dateIn = (timezone: string): string => {
    const date = dates.get(timezone) ?? localDateAt(now, timezone);
    dates.set(timezone, date);
    return date;
  };
  const { figures, is_estimate } = await addUpSubscribers(deps.db, (subscribers) => [
    subscribers.filter((one) => sendRefusal(one, now, dateIn(one.timezone ?? 'UTC')) === null)
      .length,
  ]);
  const [recipients = 0] = figures;
  return { recipients, is_estimate, price_per_part: price.per_part, currency: price.currency };
}
