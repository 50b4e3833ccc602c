import { accountsEvents } from '@daylift/contracts/accounts.events';
import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { type ConsumerDefinition, consumerOf } from '@daylift/events/handle-event';
import { storeTextCosts } from './business/business.repository.ts';
import { rememberCustomer, storeTimeZone } from './customers/customers.repository.ts';
import type { BillingDatabase } from './database.ts';
import { deleteCustomer } from './deletions/delete-customer.ts';
import type { BillingDeps } from './deps.ts';
import { creditLostDays } from './lost-days/lost-days.consumers.ts';
import { restoreRenewal, stopRenewal } from './renewals/renewals.consumers.ts';
import { applyContact } from './trials/apply-contact.ts';
import { startTrialWithoutCard } from './trials/trial-without-card.ts';

export function consumers(
  deps: Pick<
    BillingDeps,
    'clock' | 'catalogue' | 'catalogues' | 'countryCurrencies' | 'stopEndsRenewal'
  >,
): ConsumerDefinition<BillingDatabase>[] {
  const { clock, stopEndsRenewal } = deps;
  return [
    consumerOf('accounts', accountsEvents, {
      'accounts.user.registered': async (trx, facts) => {
        await rememberCustomer(trx, facts);
        if (facts.created_by === 'admin') await startTrialWithoutCard(trx, facts, deps);
      },
      'accounts.contact.changed': (trx, contact) => applyContact(trx, contact, clock.now()),
      'accounts.settings.changed': storeTimeZone,
      'accounts.user.deleted': (trx, deleted) => deleteCustomer(trx, deleted, clock.now()),
    }),
    consumerOf('scheduler', schedulerEvents, { 'scheduler.days.lost': creditLostDays(deps) }),
    consumerOf('sms', smsEvents, {
      'sms.recipient.opted_out': async (trx, reply) => {
        // A refusal by the provider may come much later and for other reasons than a reply.
        if (stopEndsRenewal && reply.source !== 'provider')
          await stopRenewal(trx, reply, clock.now());
      },
      'sms.costs.counted': (trx, { date, counted_at, countries }) =>
        storeTextCosts(trx, { date, counted_at: new Date(counted_at) }, countries),
      'sms.recipient.opted_in': (trx, reply) => restoreRenewal(trx, reply, clock.now()),
    }),
  ];
}
