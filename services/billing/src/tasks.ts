import { expireSession } from './checkouts/expire-session.ts';
import { syncInvoice, syncRefund, syncRefundsOfCharge } from './invoices/invoices.actions.ts';
import { fulfilCheckout } from './payments/fulfilment.ts';
import type { TaskHandlers } from './provider-tasks/provider-tasks.loop.ts';
import { applyRenewal } from './renewals/apply-renewal.ts';
import { cancelDuplicate, cancelSubscription } from './subscriptions/cancellation.ts';
import { syncSubscription } from './subscriptions/sync-subscription.ts';
import { endTrial } from './trials/end-trial.ts';

/** Every task at the provider and who does it. */
export const taskHandlers: TaskHandlers = {
  fulfil_checkout: async (deps, sessionId) => void (await fulfilCheckout(deps, sessionId)),
  sync_subscription: syncSubscription,
  sync_invoice: syncInvoice,
  sync_refund: syncRefund,
  sync_charge_refunds: syncRefundsOfCharge,
  end_trial: endTrial,
  apply_renewal: applyRenewal,
  cancel_subscription: cancelSubscription,
  cancel_duplicate: cancelDuplicate,
  expire_session: async (deps, sessionId, key) => void (await expireSession(deps, sessionId, key)),
};
