import type { Words } from '@daylift/mail/compose-mail';
import type { PlanChangeAction, SubscriptionsTable } from '../database.ts';
import { type Addressee, compose, dayOf, nextChargeWords, noDetails, planPage } from './words.ts';

type Facts = Pick<
  SubscriptionsTable,
  'plan' | 'status' | 'current_period_end' | 'next_charge_at' | 'next_charge_cents'
>;

export function changeWords(
  to: Addressee,
  action: Exclude<PlanChangeAction, 'pay' | 'move_price'>,
  row: Facts,
  currency: string,
): Words {
  const end = row.current_period_end;
  const day = end === null ? 'the end of the period' : dayOf(end, to.customer.timezone);
  const next = nextCharge(to, row, currency);
  const footer = `Your plan: ${planPage(to)}`;
  const { email_proven: detailed } = to.customer;
  switch (action) {
    case 'cancel':
      return compose(to, 'Your subscription is canceled', [
        row.status === 'trial'
          ? `Your free trial ends on ${day}. You'll keep getting your texts until then, and you won't be charged.`
          : `Your subscription ends on ${day}. You'll keep getting your texts until then, and you won't be charged again.`,
        'If you change your mind before then, you can undo this.',
        `Keep my plan: ${planPage(to)}`,
      ]);
    case 'undo_cancel':
      return compose(to, 'Your subscription continues', [
        `Your cancellation has been undone. ${next}`,
        footer,
      ]);
    case 'upgrade':
      return compose(to, 'Your subscription has started', [
        `Thank you. Your trial has ended and your ${detailed ? `${row.plan} ` : ''}plan has started. ${next}`,
        footer,
      ]);
    case 'switch':
      if (!detailed) return compose(to, 'Your plan has changed', [next, footer]);
      return compose(to, `You're now on the ${row.plan} plan`, [
        `Your plan is ${row.plan} from now on. ${next}`,
        footer,
      ]);
  }
}

function nextCharge(to: Addressee, row: Facts, currency: string): string {
  if (!to.customer.email_proven) return noDetails;
  const { next_charge_at: at, next_charge_cents: cents } = row;
  if (at === null || cents === null) return 'You have no upcoming charges.';
  return nextChargeWords(to, at, cents, currency);
}
