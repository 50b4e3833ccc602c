import type { UnreachableReason } from '@daylift/contracts/fields';
import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import { Counter } from '@daylift/server/metrics';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import {
  addFailure,
  type Delivery,
  markConsentRequested,
  restartCount,
} from './reachability.repository.ts';

const maxFailuresInARow = 3;
const disconnected = '40012';

const unreachable = new Counter({
  name: 'sms_numbers_unreachable_total',
  help: 'Numbers that became unreachable and must be confirmed again, by reason',
  labelNames: ['reason'],
});
const reasons: UnreachableReason[] = ['landline', 'undelivered', 'disconnected', 'inactive'];
for (const reason of reasons) unreachable.labels(reason).inc(0);

/** Counts a text that the number couldn't receive, one a date. Three in a row make it unreachable. */
export async function countFailure(
  trx: Transaction<SmsDatabase>,
  failure: Delivery & { local_date: string; code: string; now: Date },
): Promise<void> {
  if ((await addFailure(trx, failure)) < maxFailuresInARow) return;
  const reason = failure.code === disconnected ? 'disconnected' : 'undelivered';
  await reportUnreachable(trx, failure, reason, failure.now);
}

/**
 * Asks accounts to pause the recipient's texts until the number is confirmed, unless they have another number by now.
 * Sends no consent request: it would fail like the texts before it. The subscriber requests one.
 */
export async function reportUnreachable(
  trx: Transaction<SmsDatabase>,
  { user_id, phone }: { user_id: string; phone?: string },
  reason: UnreachableReason,
  now: Date,
): Promise<void> {
  const recipient_version = await restartCount(trx, user_id, phone);
  if (recipient_version === null) return;
  await markConsentRequested(trx, user_id, now);
  const facts = { user_id, recipient_version, reason, at: now.toISOString() };
  await publish(trx, smsEvents, 'sms.recipient.unreachable', facts, now);
  unreachable.labels(reason).inc();
}
