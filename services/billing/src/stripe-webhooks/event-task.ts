import type { TaskKind } from '../provider-tasks/provider-tasks.repository.ts';

/** The task for each Stripe event; other types are ignored. */
export const taskOfEvent: Readonly<Record<string, TaskKind>> = {
  'checkout.session.completed': 'fulfil_checkout',
  'checkout.session.expired': 'fulfil_checkout',
  'checkout.session.async_payment_succeeded': 'fulfil_checkout',
  'checkout.session.async_payment_failed': 'fulfil_checkout',
  'customer.subscription.created': 'sync_subscription',
  'customer.subscription.updated': 'sync_subscription',
  'customer.subscription.deleted': 'sync_subscription',
  'customer.subscription.paused': 'sync_subscription',
  'customer.subscription.resumed': 'sync_subscription',
  'customer.updated': 'sync_customer',
  'invoice.paid': 'sync_invoice',
  'invoice.payment_failed': 'sync_invoice',
  'invoice.payment_action_required': 'sync_invoice',
  'invoice.voided': 'sync_invoice',
  'invoice.marked_uncollectible': 'sync_invoice',
  'charge.refunded': 'sync_charge_refunds',
  'refund.created': 'sync_refund',
  'refund.updated': 'sync_refund',
  'refund.failed': 'sync_refund',
  'charge.refund.updated': 'sync_refund',
  'charge.dispute.created': 'sync_dispute',
  'charge.dispute.updated': 'sync_dispute',
  'charge.dispute.closed': 'sync_dispute',
  'charge.dispute.funds_withdrawn': 'sync_dispute',
  'charge.dispute.funds_reinstated': 'sync_dispute',
};

export const handledEventTypes = Object.keys(taskOfEvent);
