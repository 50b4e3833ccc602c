import { accountsEvents } from '@daylift/contracts/accounts.events';
import { billingEvents } from '@daylift/contracts/billing.events';
import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { type ConsumerDefinition, consumerOf } from '@daylift/events/handle-event';
import { alertOfMissingContent, alertOfShortLibrary } from './alerts/send-alerts.ts';
import type { SmsDatabase } from './database.ts';
import type { SmsDeps } from './deps.ts';
import { queueAnswer } from './inbound/answers.ts';
import { confirmRenewal } from './inbound/renewal-restored.ts';
import { takeOver } from './queue/handover.consumers.ts';
import {
  eraseRecipient,
  type RecipientDeps,
  saveEntitlement,
  saveRecipient,
} from './recipient-changes/recipient-changes.ts';
import { saveDueTexts } from './spend/due-texts.repository.ts';
import { requestConsentAgain } from './welcome/consent-requests.ts';
import { queueCode } from './welcome/one-time-codes.ts';

/** Consumers of other services' events. */
export function consumers(
  deps: RecipientDeps & Pick<SmsDeps, 'adminUrl' | 'settings'>,
): ConsumerDefinition<SmsDatabase>[] {
  const { clock, settings } = deps;
  return [
    consumerOf<SmsDatabase, typeof accountsEvents>('accounts', accountsEvents, {
      'accounts.recipient.changed': (trx, data) => saveRecipient(trx, data, deps),
      'accounts.code.requested': (trx, data) => queueCode(trx, data, deps),
      'accounts.consent.asked': (trx, data) => requestConsentAgain(trx, data, deps),
      'accounts.answer.written': (trx, data) => queueAnswer(trx, data, clock.now()),
      'accounts.user.deleted': (trx, data) => eraseRecipient(trx, data.user_id, clock.now()),
    }),
    consumerOf<SmsDatabase, typeof billingEvents>('billing', billingEvents, {
      'billing.subscription.changed': (trx, data) => saveEntitlement(trx, data, deps),
      'billing.renewal.restored': (trx, data) => confirmRenewal(trx, data, deps),
    }),
    consumerOf<SmsDatabase, typeof schedulerEvents>(
      'scheduler',
      schedulerEvents,
      {
        'scheduler.content.missing': (trx, data) => alertOfMissingContent(trx, data, deps),
        'scheduler.due_texts.changed': (trx, data) => saveDueTexts(trx, data, clock.now()),
        'scheduler.library.runs_out': (trx, data) => alertOfShortLibrary(trx, data, deps),
      },
      {
        'scheduler.dispatches.released': (trx, items) =>
          takeOver(trx, items, { now: clock.now(), canaryAbove: settings.SMS_CANARY_ABOVE }),
      },
    ),
  ];
}
