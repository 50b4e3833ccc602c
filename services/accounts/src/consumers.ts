import { billingEvents } from '@daylift/contracts/billing.events';
import { contentEvents } from '@daylift/contracts/content.events';
import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { type ConsumerDefinition, consumerOf } from '@daylift/events/handle-event';
import type { Static } from 'typebox';
import { recordAction } from './admins/admins.consumers.ts';
import { mailMonth } from './admins/mail-month.ts';
import type { AccountsDatabase } from './database.ts';
import type { AccountsDeps } from './deps.ts';
import { expectReply } from './inbox/replies.actions.ts';
import { eraseReplies } from './inbox/replies.repository.ts';
import { mailCode } from './one-time-codes/send-codes.ts';
import { confirmConsent } from './proofs/confirm-consent.ts';
import { pauseUnreachable } from './reachability/pause-unreachable.ts';
import { storeReferralCount } from './referrals/referrals.repository.ts';
import { keepWhilePayable } from './signups/signup-lifetime.ts';
import type { Actor } from './users/user-changes.table.ts';
import { applyReplySetting, setOptedOut, storeSubscription } from './users/users.consumers.ts';
import { storeLastMessages } from './users/users.repository.ts';

/** A rejection by the provider isn't the subscriber's decision. */
const optOutActor = ({
  source,
  admin,
}: Static<(typeof smsEvents)['sms.recipient.opted_out']>): Actor => {
  if (admin !== undefined) return { by: 'admin', ...admin };
  return { by: source === 'provider' ? 'system' : 'reply' };
};

export const consumers = (
  deps: Pick<AccountsDeps, 'clock' | 'identityHash' | 'product'>,
): ConsumerDefinition<AccountsDatabase>[] => [
  consumerOf('billing', billingEvents, {
    'billing.admin.acted': recordAction,
    'billing.subscription.changed': (trx, state) => storeSubscription(trx, state, deps),
    'billing.checkout.opened': keepWhilePayable,
    'billing.month.closed': (trx, closed) => mailMonth(trx, closed, deps),
    'billing.referrals.changed': storeReferralCount,
  }),
  consumerOf(
    'sms',
    smsEvents,
    {
      'sms.admin.acted': recordAction,
      'sms.text.settled': (trx, result) => storeLastMessages(trx, [result]),
      'sms.recipient.opted_out': (trx, stop) => setOptedOut(trx, stop, true, optOutActor(stop)),
      'sms.recipient.opted_in': (trx, start) => setOptedOut(trx, start, false, { by: 'reply' }),
      'sms.recipient.number_changed': (trx, number) =>
        setOptedOut(trx, number, number.opted_out, { by: 'system' }),
      'sms.recipient.unreachable': (trx, number) => pauseUnreachable(trx, number, deps),
      'sms.reply.received': expectReply,
      'sms.replies.erased': (trx, { inbound_ids }) => eraseReplies(trx, inbound_ids),
      'sms.consent.confirmed': (trx, confirmed) => confirmConsent(trx, confirmed, deps),
      'sms.code.not_texted': (trx, request) => mailCode(trx, deps, request),
      'sms.setting.requested': (trx, requested) => applyReplySetting(trx, requested, deps),
    },
    {
      'sms.texts.settled': (trx, items) =>
        storeLastMessages(
          trx,
          items.flatMap(({ data }) => data.results),
        ),
    },
  ),
  consumerOf('content', contentEvents, { 'content.admin.acted': recordAction }),
  consumerOf('scheduler', schedulerEvents, { 'scheduler.admin.acted': recordAction }),
];
