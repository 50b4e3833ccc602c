import { smsEvents, type TextOutcome } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TextIdentity } from './claims.repository.ts';

/** Publishes the outcome of a dispatch to the scheduler. Transactional texts have none. */
export async function publishSettled(
  trx: Transaction<SmsDatabase>,
  text: TextIdentity,
  end: { outcome: TextOutcome; reason: string | null; now: Date },
): Promise<void> {
  if (text.batch_id === null || text.user_id === null) return;
  await publish(
    trx,
    smsEvents,
    'sms.text.settled',
    {
      dispatch_id: text.id,
      user_id: text.user_id,
      local_date: text.local_date,
      batch_id: text.batch_id,
      scheduled_message_id: text.scheduled_message_id,
      outcome: end.outcome,
      reason: end.reason,
      is_test: text.is_test,
      settled_at: end.now.toISOString(),
    },
    end.now,
  );
}
