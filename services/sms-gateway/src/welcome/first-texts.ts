import type { Selectable, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isOptedOut } from '../inbound/opt-outs.ts';
import type { RecipientsTable } from '../recipients/recipients.table.ts';
import { askForConsent, consentKey, hasSubscribed } from './consent-requests.ts';
import type { OwnTextKind } from './own-text-rules.ts';
import { queueOwnText } from './own-texts.ts';
import { type OwnTextWords, welcomeText } from './words.ts';

export type { OwnTextWords };

type RecipientRow = Selectable<RecipientsTable>;

/**
 * The first text that a person gets, if any is due: the welcome once consent and entitlement have met, or one request to
 * reply YES per number. A signup is asked once it is entitled (so that nobody is texted before the checkout is done), a
 * changed number of a subscriber at once. Called after every change of either fact, in its transaction.
 */
export async function queueFirstTexts(
  trx: Transaction<SmsDatabase>,
  userId: string,
  words: OwnTextWords,
  now: Date,
): Promise<void> {
  const recipient = await trx
    .selectFrom('recipients')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (recipient === undefined) return;
  const kind = dueFirstText(recipient, now);
  if (kind === null || recipient.number_hash === null) return;
  // The number said STOP once, perhaps to another account. START brings us back here.
  if (await isOptedOut(trx, recipient.number_hash)) return;
  const { number_hash } = recipient;
  if (kind === 'consent_request') {
    const key = consentKey(recipient);
    await askForConsent(trx, { ...recipient, number_hash }, { key, words, now });
    return;
  }
  await queueOwnText(trx, {
    key: `welcome:${userId}`,
    kind,
    content: welcomeText(words, recipient.frequency ?? 'daily'),
    user_id: userId,
    reply_to: null,
    timezone: recipient.timezone ?? 'UTC',
    now,
  });
}

function dueFirstText(
  recipient: RecipientRow,
  now: Date,
): (OwnTextKind & ('welcome' | 'consent_request')) | null {
  if (recipient.phone === null || !recipient.is_active || recipient.deleted_at !== null)
    return null;
  const entitled =
    recipient.entitled && (recipient.entitled_until === null || now < recipient.entitled_until);
  if (recipient.consent === 'granted') return entitled ? 'welcome' : null;
  if (recipient.consent === 'pending')
    return entitled || (recipient.number_changed && hasSubscribed(recipient))
      ? 'consent_request'
      : null;
  return null;
}
