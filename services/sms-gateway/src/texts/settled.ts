import { smsEvents, type TextOutcome } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TextIdentity } from './due-texts.repository.ts';

export interface Settled {
  text: TextIdentity;
  outcome: TextOutcome;
  reason: string | null;
}

/** Publishes the outcomes of dispatches to the scheduler in one event. Transactional texts have none. */
export async function publishSettled(
  trx: Transaction<SmsDatabase>,
  settled: Settled[],
  now: Date,
): Promise<void> {
  const results = settled.flatMap(({ text, outcome, reason }) => {
    const { id, user_id, local_date, batch_id, scheduled_message_id, is_test } = text;
    if (batch_id === null || user_id === null) return [];
    const settled_at = now.toISOString();
    const message = { batch_id, scheduled_message_id, outcome, reason, is_test, settled_at };
    return [{ dispatch_id: id, user_id, local_date, ...message }];
  });
  if (results.length > 0) await publish(trx, smsEvents, 'sms.texts.settled', { results }, now);
}
