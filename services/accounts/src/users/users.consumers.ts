import { billingEvents, type SubscriptionState } from '@daylift/contracts/billing.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { type Subscription, subscription } from '@daylift/events/consume';
import { sql, type Transaction } from 'kysely';
import { recordAction } from '../admins/admins.consumers.ts';
import { recordConsent } from '../consents/consents.repository.ts';
import { replyWording } from '../consents/wording.ts';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { expectReply } from '../letters/replies.actions.ts';
import { eraseReplies } from '../letters/replies.repository.ts';
import { mailCode } from '../one-time-codes/send-codes.ts';
import { lockAddress } from '../proofs/address-calls.repository.ts';
import { provePhone } from '../proofs/prove.ts';
import { storeReferralCount } from '../referrals/referrals.repository.ts';
import { keepWhilePayable } from '../signups/signup-lifetime.ts';
import { recordUserChange } from '../user-changes/user-changes.repository.ts';
import type { Actor } from '../user-changes/user-changes.table.ts';
import { changeUser, hasSubscribed, replyChange } from './users.actions.ts';
import { findUser, hasOtherSubscriber, lockUser, updateUser } from './users.repository.ts';

type Trx = Transaction<AccountsDatabase>;

/** Consumers of billing's events. */
export const billingSubscription = (
  deps: Pick<AccountsDeps, 'clock'>,
): Subscription<AccountsDatabase> =>
  subscription<AccountsDatabase, typeof billingEvents>('billing', billingEvents, {
    'billing.admin.acted': recordAction,
    'billing.subscription.changed': (trx, state) => storeSubscription(trx, state, deps),
    'billing.checkout.opened': keepWhilePayable,
    'billing.referrals.changed': storeReferralCount,
  });

/** Consumers of sms-gateway's events. */
export const smsSubscription = (
  deps: Pick<AccountsDeps, 'clock' | 'identityHash' | 'product'>,
): Subscription<AccountsDatabase> =>
  subscription<AccountsDatabase, typeof smsEvents>('sms', smsEvents, {
    'sms.admin.acted': recordAction,
    'sms.text.settled': async (trx, text) => {
      if (text.outcome !== 'accepted' || text.is_test) return;
      await trx
        .updateTable('users')
        .set({
          last_message_sent: sql`greatest(last_message_sent, ${new Date(text.settled_at)})`,
        })
        .where('id', '=', text.user_id)
        .execute();
    },
    'sms.recipient.opted_out': (trx, stop) =>
      setOptedOut(trx, stop, true, { by: stop.source === 'provider' ? 'system' : 'reply' }),
    'sms.recipient.opted_in': (trx, start) => setOptedOut(trx, start, false, { by: 'reply' }),
    'sms.recipient.number_changed': (trx, number) =>
      setOptedOut(trx, number, number.opted_out, { by: 'system' }),
    'sms.reply.received': expectReply,
    'sms.replies.erased': (trx, { inbound_ids }) => eraseReplies(trx, inbound_ids),
    'sms.consent.confirmed': async (trx, confirmed) => {
      const known = await findUser(trx, confirmed.user_id);
      const phone = known?.pending_phone ?? known?.phone;
      if (phone === undefined || phone === null) return;
      await lockAddress(trx, phone);
      const user = await lockUser(trx, confirmed.user_id);
      // A YES from an earlier number says nothing about the current one.
      if (user === undefined || confirmed.recipient_version < user.phone_since_version) return;
      // It changed before we had the lock; the retry locks the right number.
      if ((user.pending_phone ?? user.phone) !== phone)
        throw new Error('phone changed while its YES was read');
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
    },
    'sms.code.not_texted': (trx, request) => mailCode(trx, deps, request),
    'sms.setting.requested': async (trx, wish) => {
      const at = new Date(wish.at);
      const user = await lockUser(trx, wish.user_id);
      if (user === undefined || (user.reply_setting_at !== null && at < user.reply_setting_at))
        return;
      await trx
        .updateTable('users')
        .set({ reply_setting_at: at })
        .where('id', '=', user.id)
        .execute();
      await changeUser(trx, user, replyChange(user, wish.change, at), deps.clock.now(), {
        by: 'reply',
      });
    },
  });

/**
 * Stores a subscription's state. A first subscription with an unproven number that another subscriber has waits for its
 * proof: the other account's settings rule the number's texts, and its holder must see that.
 */
async function storeSubscription(
  trx: Trx,
  state: SubscriptionState,
  { clock }: Pick<AccountsDeps, 'clock'>,
): Promise<void> {
  const phone = (await findUser(trx, state.user_id))?.phone ?? null;
  if (phone !== null) await lockAddress(trx, phone);
  const user = await lockUser(trx, state.user_id);
  if (user === undefined || user.subscription_version >= state.version) return;
  const stored = await updateUser(trx, user.id, {
    subscription_status: state.status,
    plan: state.plan,
    subscription_version: state.version,
  });
  if (hasSubscribed(user) || user.consent !== 'granted' || user.phone_proven_at !== null) return;
  if (phone === null || user.phone !== phone) return;
  if (await hasOtherSubscriber(trx, phone, user.id))
    await changeUser(trx, stored, { consent: 'pending' }, clock.now(), { by: 'system' });
}

/** The newest of STOP and START counts, in any order of arrival. */
async function setOptedOut(
  trx: Trx,
  fact: { user_id: string; at: string },
  opted_out: boolean,
  actor: Actor,
): Promise<void> {
  const at = new Date(fact.at);
  const user = await lockUser(trx, fact.user_id);
  if (user === undefined || (user.opted_out_at !== null && user.opted_out_at > at)) return;
  await updateUser(trx, user.id, { opted_out, opted_out_at: at });
  await recordUserChange(trx, user, { opted_out }, { actor, at });
}
