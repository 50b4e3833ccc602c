import { expireSession } from './checkouts/expire-session.ts';
import { fulfillCheckout } from './checkouts/fulfillment.ts';
import { explainDifference } from './comparison/explain-difference.ts';
import { updateCustomer } from './customers/update-customer.ts';
import { eraseAtProvider } from './deletions/erase-customer.ts';
import { syncDispute } from './disputes/disputes.actions.ts';
import { settleHold } from './disputes/settle-hold.ts';
import { remindOfPayment } from './dunning/remind-of-payment.ts';
import { retryPayment } from './dunning/retry-payment.ts';
import { eraseGift } from './gifts/erase-gifts.ts';
import { settleGift } from './gifts/settle-gift.ts';
import { syncInvoice, syncRefund, syncRefundsOfCharge } from './invoices/invoices.actions.ts';
import { settleLostDays } from './lost-days/settle-lost-days.ts';
import { finishPlanChange } from './plans/finish-change.ts';
import { followPriceChange } from './plans/follow-price-change.ts';
import { syncPromotion } from './promotions/provider-promotion.ts';
import type { TaskHandlers } from './provider-tasks/provider-tasks.loop.ts';
import { settleReferral } from './referrals/settle-referral.ts';
import { applyRenewal } from './renewals/apply-renewal.ts';
import { runStaffAction } from './staff-actions/run-staff-action.ts';
import {
  cancelAndRefund,
  cancelDuplicate,
  cancelSubscription,
} from './subscriptions/cancellation.ts';
import { applyFreeTime } from './subscriptions/free-time.ts';
import { syncCustomer } from './subscriptions/sync-customer.ts';
import { syncSubscription } from './subscriptions/sync-subscription.ts';
import { announceFirstCharge } from './trials/announce-first-charge.ts';
import { announceTrial } from './trials/announce-trial.ts';
import { endTrial } from './trials/end-trial.ts';

export const taskHandlers: TaskHandlers = {
  fulfil_checkout: async (deps, sessionId) => void (await fulfillCheckout(deps, sessionId)),
  sync_subscription: async (deps, id) => void (await syncSubscription(deps, id)),
  sync_customer: syncCustomer,
  sync_invoice: syncInvoice,
  sync_refund: syncRefund,
  sync_charge_refunds: syncRefundsOfCharge,
  sync_dispute: syncDispute,
  settle_hold: settleHold,
  explain_difference: explainDifference,
  announce_trial: announceTrial,
  announce_first_charge: announceFirstCharge,
  end_trial: endTrial,
  apply_renewal: applyRenewal,
  apply_free_time: applyFreeTime,
  remind_of_payment: remindOfPayment,
  retry_payment: retryPayment,
  finish_plan_change: finishPlanChange,
  follow_price_change: followPriceChange,
  settle_referral: settleReferral,
  settle_lost_days: settleLostDays,
  staff_action: runStaffAction,
  sync_promotion: syncPromotion,
  fulfill_gift: async (deps, sessionId) => void (await fulfillCheckout(deps, sessionId)),
  settle_gift: settleGift,
  erase_gift: eraseGift,
  cancel_subscription: cancelSubscription,
  cancel_duplicate: cancelDuplicate,
  cancel_and_refund: cancelAndRefund,
  update_customer: updateCustomer,
  erase_customer: eraseAtProvider,
  expire_session: async (deps, sessionId, key) => void (await expireSession(deps, sessionId, key)),
};
