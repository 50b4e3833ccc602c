import { hourMs } from '@daylift/clock/durations';
import type { billingEvents } from '@daylift/contracts/billing.events';
import type { Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { SmsDatabase } from '../database.ts';
import { findClaimant, findRecipient } from '../recipients/recipients.repository.ts';
import type { FirstTextDeps } from '../welcome/consent-requests.ts';
import { queueTransactionalText } from '../welcome/transactional-texts.ts';
import { renewalText } from '../welcome/words.ts';

/** Confirms to the sender of a START that it restored the renewal. Billing emails it in any case. */
export async function confirmRenewal(
  trx: Transaction<SmsDatabase>,
  restored: Static<(typeof billingEvents)['billing.renewal.restored']>,
  { clock, words }: FirstTextDeps,
): Promise<void> {
  const { user_id } = restored;
  const [at, now] = [new Date(restored.at), clock.now()];
  const closes_at = new Date(at.getTime() + hourMs);
  const recipient = await findRecipient(trx, user_id);
  if (closes_at <= now || recipient?.phone == null || recipient.number_hash === null) return;
  // Its holder must not learn about the plan of another account.
  const claimant = await findClaimant(trx, recipient.number_hash, now);
  if (claimant?.user_id !== user_id || !claimant.is_sender) return;
  const timezone = recipient.timezone ?? 'UTC';
  await queueTransactionalText(trx, {
    // One per clock hour, to stop loops between two auto-responders.
    key: `renewal:${user_id}:${Math.floor(at.getTime() / hourMs)}`,
    kind: 'confirmation',
    content: renewalText(words, new Date(restored.renews_at), timezone),
    user_id,
    reply_to: recipient.phone,
    timezone,
    now,
    closes_at,
  });
}
