import type { BilledDispute } from '@daylift/contracts/billing.http';
import type { Dispute } from './disputes.repository.ts';

export const describeDispute = (dispute: Dispute): BilledDispute => ({
  id: dispute.id,
  amount_cents: dispute.amount_cents,
  currency: dispute.currency,
  state: dispute.state,
  reason: dispute.reason,
  created_at: dispute.created_at.toISOString(),
  respond_by: dispute.respond_by?.toISOString() ?? null,
});
