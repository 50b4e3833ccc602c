import type Stripe from 'stripe';
import { idOf, instantOf } from '../stripe-client.ts';
import type { Dispute } from './disputes.repository.ts';

const states: Record<string, Dispute['state']> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
  warning_closed: 'closed',
  // Refunded by the provider before it became a dispute.
  prevented: 'closed',
};

export function readDispute(dispute: Stripe.Dispute): Omit<Dispute, 'read_ticket'> {
  const { due_by } = dispute.evidence_details;
  const isWanted = dispute.status.endsWith('needs_response');
  return {
    id: dispute.id,
    payment_intent_id: idOf(dispute.payment_intent),
    // An unknown status grants nothing.
    state: states[dispute.status] ?? 'open',
    reason: dispute.reason,
    currency: dispute.currency,
    amount_cents: dispute.amount,
    withdrawn_cents: dispute.balance_transactions.reduce((sum, { amount }) => sum - amount, 0),
    created_at: instantOf(dispute.created),
    respond_by: isWanted && due_by !== null ? instantOf(due_by) : null,
  };
}
