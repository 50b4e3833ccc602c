import type { StaffSendPreview } from '@daylift/contracts/scheduler.http';
import type { TextPrice } from '@daylift/contracts/sms.http';
import { countSegments } from '@daylift/delivery/segments';
import { timesDecimal } from '@daylift/delivery/times-decimal';
import { Unavailable } from '@daylift/server/error';
import type { Static } from 'typebox';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDeps } from '../deps.ts';
import { findRecipients } from './recipients.ts';

/** Stands in for a reader's name, which is of this length on average. */
const averageName = 'Daniel';

/** What a staff send of this message would do now. */
export async function previewStaffSend(
  { db, clock, smsGateway }: SchedulerDeps,
  message: ScheduledMessage,
): Promise<StaffSendPreview> {
  const price = await smsGateway.get<Static<typeof TextPrice>>('/internal/price');
  if (price === null)
    throw new Unavailable('The price of a text can’t be read right now. Please try again.');
  const now = clock.now();
  let [recipients, in_quiet_hours] = [0, 0];
  let after: string | null = null;
  do {
    const page = await findRecipients(db, message, after, now);
    recipients += page.recipients.length;
    in_quiet_hours += page.recipients.filter((one) => one.is_quiet).length;
    after = page.next;
  } while (after !== null);
  const { parts } = countSegments(message.content.replaceAll('{{first_name}}', averageName));
  return {
    scheduled_message_id: message.id,
    scheduled_message_title: message.title,
    recipients,
    in_quiet_hours,
    parts_per_text: parts,
    estimated_cost: timesDecimal(price.per_part, parts * recipients),
    currency: price.currency,
  };
}
