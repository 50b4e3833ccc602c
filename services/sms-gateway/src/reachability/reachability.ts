import type { UnreachableReason } from '@daylift/contracts/fields';
import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import {
  addFailure,
  type Delivery,
  restartCount,
  startUnasked,
} from './reachability.repository.ts';

const mostInARow = 3;
const disconnected = '40012';

/** Counts a text that the number can't receive. A landline counts at once, other numbers after three in a row. */
export async function countFailure(
  trx: Transaction<SmsDatabase>,
  failure: Delivery & { action: 'landline' | 'number_failed'; code: string; now: Date },
): Promise<void> {
  const failures = await addFailure(trx, failure);
  if (failures === null) return;
  const { user_id, now } = failure;
  if (failure.action === 'landline') await reportUnreachable(trx, user_id, 'landline', now);
  else if (failures >= mostInARow) {
    const reason = failure.code === disconnected ? 'disconnected' : 'undelivered';
    await reportUnreachable(trx, user_id, reason, now);
  }
}

/**
 * Asks accounts to pause the recipient's texts until the number is confirmed. Sends no request for that: it would fail
 * like the texts before it, so the subscriber asks for one.
 */
export async function reportUnreachable(
  trx: Transaction<SmsDatabase>,
  user_id: string,
  reason: UnreachableReason,
  now: Date,
): Promise<void> {
  const recipient_version = await restartCount(trx, user_id);
  await startUnasked(trx, user_id, now);
  const facts = { user_id, recipient_version, reason, at: now.toISOString() };
  await publish(trx, smsEvents, 'sms.recipient.unreachable', facts, now);
}
