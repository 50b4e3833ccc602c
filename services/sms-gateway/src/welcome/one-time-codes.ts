import type { accountsEvents } from '@daylift/contracts/accounts.events';
import type { Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { SmsDatabase } from '../database.ts';
import { findRecipient, type RecipientRow } from '../recipients/recipients.repository.ts';
import { reserveText } from '../spend/spend-caps.ts';
import {
  consentNumberOf,
  deferPastQuietHours,
  type FirstTextDeps,
  hasSubscribed,
  isEntitledAt,
} from './consent-requests.ts';
import { queueTransactionalText } from './transactional-texts.ts';
import { changeText, codeText, proofText, revertText, type TransactionalWords } from './words.ts';

type CodeRequested = Static<(typeof accountsEvents)['accounts.code.requested']>;

/** Queues the text of a code or a link ahead of everything that waits. Idempotent per request. */
export async function queueCode(
  trx: Transaction<SmsDatabase>,
  request: CodeRequested,
  deps: FirstTextDeps,
): Promise<void> {
  const { request_id, user_id, expires_at, purpose = 'recover', recipient_version } = request;
  const now = deps.clock.now();
  const closesAt = new Date(expires_at);
  if (closesAt <= now) return;
  const recipient = await findRecipient(trx, user_id);
  // The person's own event precedes this one in the stream, so a retry finds the row.
  const isBehind = recipient === undefined || recipient.version < (recipient_version ?? 1);
  if (recipient === undefined || (isBehind && recipient.deleted_at === null))
    throw new Error('code request for a recipient that is not stored yet');
  const isRevert = purpose === 'revert';
  // A later version may have another number. Its holder must not get the link.
  if (isRevert && recipient.number_version > (recipient_version ?? -1)) return;
  const isProof = purpose === 'prove';
  const { phone, number_hash } = isProof ? consentNumberOf(recipient) : recipient;
  if (phone === null || number_hash === null) return;
  const target = { phone, number_hash, isProof, now };
  const ready = await findSendInstant(trx, recipient, target, deps);
  // A link to undo a change by staff can wait for the morning.
  const allows_quiet_hours = !isRevert || !recipient.by_staff;
  const opens_at = ready && deferPastQuietHours({ ...recipient, allows_quiet_hours }, ready);
  if (opens_at === null || opens_at >= closesAt) return;
  await queueTransactionalText(trx, {
    key: `one_time_code:${request_id}`,
    kind: 'one_time_code',
    content: texts[purpose](deps.words, request),
    user_id,
    // A proof or revert link is useless on a later number.
    reply_to: isProof || isRevert ? phone : null,
    ...(isRevert && { pinned_hash: number_hash }),
    timezone: recipient.timezone ?? 'UTC',
    now,
    opens_at,
    closes_at: closesAt,
    is_urgent: true,
  });
}

/** Returns null for a code that isn't texted: a number gets none before a checkout or its proof. */
async function findSendInstant(
  trx: Transaction<SmsDatabase>,
  recipient: RecipientRow,
  { isProof, ...spend }: { phone: string; number_hash: string; isProof: boolean; now: Date },
  deps: FirstTextDeps,
): Promise<Date | null> {
  const { user_id, phone_proven } = recipient;
  const { now } = spend;
  const isPaid = isEntitledAt(recipient, now);
  if (isProof ? !isPaid : !phone_proven && !hasSubscribed(recipient)) return null;
  if (phone_proven && isPaid && !isProof) return now;
  return reserveText(trx, { user_id, ...spend, isPaidFor: false }, deps);
}

const texts = {
  recover: (words: TransactionalWords, { request_id, for_change }: CodeRequested) =>
    (for_change ? changeText : codeText)(words, `{{code:${request_id}}}`),
  prove: (words: TransactionalWords, { request_id }: CodeRequested) =>
    proofText(words, `{{code:${request_id}}}`),
  revert: (words: TransactionalWords, { request_id, field = 'phone' }: CodeRequested) =>
    revertText(words, field, `{{link:${request_id}}}`),
};
