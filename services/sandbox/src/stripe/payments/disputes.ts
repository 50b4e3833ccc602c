import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Charge, type Dispute, nulls } from '../state/objects.ts';
import { book } from './ledger.ts';

const DAY = 86_400;
const DAYS_TO_RESPOND = 9;
/** Stripe's fee for a dispute, which it keeps even if the dispute is won. */
const DISPUTE_FEE = 1500;

/** Opens a dispute about what is left of a charge. An inquiry withdraws no money. */
export function openDispute(
  act: Act,
  charge: Charge,
  { reason, inquiry }: { reason: string; inquiry: boolean },
): Dispute {
  if (charge.status !== 'succeeded' || charge.disputed) {
    throw refused(`Charge ${charge.id} can't be disputed.`, { charge: charge.id });
  }
  const id = newId('du');
  const { currency } = charge;
  const amount = charge.amount_captured - charge.amount_refunded;
  const dispute: Dispute = {
    id,
    object: 'dispute',
    amount,
    balance_transactions: inquiry ? [] : [withdraw(act, id, charge, amount)],
    charge: charge.id,
    created: act.at,
    currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence(charge),
    evidence_details: {
      due_by: act.at + DAYS_TO_RESPOND * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
  act.tables.disputes.save(dispute);
  amend(act, act.tables.charges, charge, { disputed: true }, 'charge.updated');
  act.emit('charge.dispute.created', dispute);
  if (!inquiry) act.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

const withdraw = (act: Act, source: string, charge: Charge, amount: number) =>
  book(
    act,
    {
      type: 'adjustment',
      reporting_category: 'dispute',
      source,
      amount: -amount,
      fee: DISPUTE_FEE,
    },
    charge,
  );

const closed = new Set<string>(['won', 'lost', 'warning_closed']);
export const nextStatuses = ['under_review', 'won', 'lost', 'warning_closed'] as const;

/** Submits evidence, or closes a dispute. Winning one returns the money. */
export function settleDispute(
  act: Act,
  dispute: Dispute,
  status: (typeof nextStatuses)[number],
): Dispute {
  if (closed.has(dispute.status)) {
    throw refused('This dispute is already closed.', { param: 'dispute' });
  }
  const { disputes } = act.tables;
  if (status === 'under_review') {
    const evidence_details = {
      ...dispute.evidence_details,
      has_evidence: true,
      submission_count: 1,
      submission_method: 'manual' as const,
    };
    const isInquiry = dispute.status.startsWith('warning_');
    const next = isInquiry ? ('warning_under_review' as const) : status;
    const change = { status: next, evidence_details };
    return amend(act, disputes, dispute, change, 'charge.dispute.updated');
  }
  const settled = amend(act, disputes, dispute, { status }, 'charge.dispute.updated');
  if (status !== 'won') return close(act, settled);
  const { amount, balance_transactions: entries } = settled;
  const back = book(
    act,
    {
      type: 'adjustment',
      reporting_category: 'dispute_reversal',
      source: dispute.id,
      amount,
      fee: 0,
    },
    settled,
  );
  const reinstated = amend(act, disputes, settled, { balance_transactions: [...entries, back] });
  act.emit('charge.dispute.funds_reinstated', reinstated);
  return close(act, reinstated);
}

function close(act: Act, dispute: Dispute): Dispute {
  act.emit('charge.dispute.closed', dispute);
  return dispute;
}

function noEvidence({ billing_details }: Charge): Dispute['evidence'] {
  return {
    ...nulls('access_activity_log billing_address cancellation_policy'),
    ...nulls('cancellation_policy_disclosure cancellation_rebuttal customer_communication'),
    ...nulls('customer_purchase_ip customer_signature duplicate_charge_documentation'),
    ...nulls('duplicate_charge_explanation duplicate_charge_id product_description receipt'),
    ...nulls('refund_policy refund_policy_disclosure refund_refusal_explanation service_date'),
    ...nulls('service_documentation shipping_address shipping_carrier shipping_date'),
    ...nulls('shipping_documentation shipping_tracking_number uncategorized_file'),
    ...nulls('uncategorized_text'),
    customer_email_address: billing_details.email,
    customer_name: billing_details.name,
    enhanced_evidence: {},
  };
}
