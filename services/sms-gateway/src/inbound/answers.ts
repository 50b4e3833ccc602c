import type { accountsEvents } from '@daylift/contracts/accounts.events';
import type { AnswerTexts } from '@daylift/contracts/inbox.http';
import type { Kysely, Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { SmsDatabase } from '../database.ts';
import { findRecipient } from '../recipients/recipients.repository.ts';
import { statusOf } from '../texts/text-states.ts';
import { findStates } from '../welcome/transactional-texts.repository.ts';
import { queueTransactionalText } from '../welcome/transactional-texts.ts';

type Answer = Static<(typeof accountsEvents)['accounts.answer.written']>;

const keyOf = (answerId: string) => `answer:${answerId}`;

/** Queues an admin's reply. Like every text, it is checked again right before sending. */
export async function queueAnswer(
  trx: Transaction<SmsDatabase>,
  { answer_id, user_id, content, closes_at }: Answer,
  now: Date,
): Promise<void> {
  const recipient = await findRecipient(trx, user_id);
  if (recipient === undefined || recipient.deleted_at !== null) return;
  await queueTransactionalText(trx, {
    key: keyOf(answer_id),
    kind: 'answer',
    content,
    user_id,
    reply_to: null,
    timezone: recipient.timezone ?? 'UTC',
    now,
    closes_at: new Date(closes_at),
  });
}

export async function findAnswers(
  db: Kysely<SmsDatabase>,
  answerIds: string[],
): Promise<AnswerTexts> {
  const rows = await findStates(db, answerIds.map(keyOf));
  return rows.map(({ key, state }) => ({
    id: key.slice('answer:'.length),
    status: statusOf(state),
  }));
}
