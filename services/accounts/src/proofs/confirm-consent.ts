import type { smsEvents } from '@daylift/contracts/sms.events';
import type { Static } from 'typebox';
import { recordConsent } from '../consents/consents.repository.ts';
import { replyWording } from '../consents/wording.ts';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { lockAddress } from '../users/address-calls.repository.ts';
import { findUser, lockUser } from '../users/users.repository.ts';
import { provePhone } from './prove.ts';

/** Applies the first YES to an account's number: it proves the number and grants consent. */
export async function confirmConsent(
  trx: Trx,
  confirmed: Static<(typeof smsEvents)['sms.consent.confirmed']>,
  deps: Pick<AccountsDeps, 'clock' | 'identityHash' | 'product'>,
): Promise<void> {
  const known = await findUser(trx, confirmed.user_id);
  const phone = known?.pending_phone ?? known?.phone;
  if (phone === undefined || phone === null) return;
  await lockAddress(trx, phone);
  const user = await lockUser(trx, confirmed.user_id);
  // A YES from an earlier number says nothing about the current one.
  if (user === undefined || confirmed.recipient_version < user.phone_since_version) return;
  // It changed before we had the lock; the retry locks the right number.
  if ((user.pending_phone ?? user.phone) !== phone)
    throw new Error('phone number changed while its YES was processed');
  const isPending = user.pending_phone === phone;
  if (!isPending && user.consent === 'granted' && user.phone_proven_at !== null) return;
  if (isPending || user.consent !== 'granted')
    await recordConsent(trx, user, {
      source: 'reply',
      wording_version: replyWording,
      given_at: new Date(confirmed.at),
      phone_hash: deps.identityHash(phone),
      ip: null,
      user_agent: null,
    });
  const proof = { phone, proof: 'reply' as const, consent: 'granted' as const };
  await provePhone(trx, deps, user, { ...proof, actor: { by: 'reply' } });
}
