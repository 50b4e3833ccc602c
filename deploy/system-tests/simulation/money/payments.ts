/** Payments, and what was returned of them. Shares no code with billing or the sandbox. */

export interface Payment {
  at: number;
  amount: number;
  refunds: { at: number; amount: number }[];
  dispute: Dispute | null;
}

interface Dispute {
  state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  amount: number;
  at: number;
}

export const sumOf = (parts: { amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);
export const disputed = ({ dispute }: Payment): number =>
  dispute?.state === 'open' || dispute?.state === 'lost' ? dispute.amount : 0;
/** What can still be refunded or disputed. */
export const leftOf = (payment: Payment): number => payment.amount - sumOf(payment.refunds);
export const keptOf = (payment: Payment): number => leftOf(payment) - disputed(payment);

export function dispute(payment: Payment, isInquiry: boolean, at: number): void {
  payment.dispute = { state: isInquiry ? 'inquiry' : 'open', amount: leftOf(payment), at };
}

export function decide({ dispute }: Payment, isWon: boolean): void {
  if (dispute?.state === 'inquiry') dispute.state = 'closed';
  else if (dispute !== null) dispute.state = isWon ? 'won' : 'lost';
}
