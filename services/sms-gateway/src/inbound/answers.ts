import type { accountsEvents } from '@daylift/contracts/accounts.events';
import type { AnswerTexts } from '@daylift/contracts/inbox.http';
import type { Kysely, Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { SmsDatabase } from '../database.ts';
import { statusOf } from '../texts/text-states.ts';
import { queueTransactionalText } from '../welcome/transactional-texts.ts';

type Answer = Static<(typeof accountsEvents)['accounts.answer.written']>;

const keyOf = (answerId: string) => `answer:${answerId}`;

/** Queues an admin's reply. Like every text, it is checked again right before sending. */
export async function queueAnswer(
  trx: Transaction<SmsDatabase>,
  { answer_id, user_id, content, closes_at }: Answer,
  now: Date,
): Promise<void> {
  const recipient = await trx
    .selectFrom('recipients')
    .select('timezone')
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (recipient === undefined) return;
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
  const rows = await db
    .selectFrom('own_text_keys')
    .innerJoin('texts', 'texts.id', 'own_text_keys.text_id')
    .select(['own_text_keys.key', 'texts.state'])
    .where('own_text_keys.key', 'in', answerIds.map(keyOf))
    .execute();
  return rows.map(({ key, state }) => ({
    id: key.slice('answer:'.length),
    status: statusOf(state),
  }));
}
