import type { Words } from '@daylift/mail/compose-mail';
import { findCatalogue } from '../customers/currency.ts';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { changeWords } from '../notices/plan-words.ts';
import { sendNotice } from '../notices/send-notice.ts';
import {
  type Addressee,
  compose,
  dayOf,
  money,
  nextChargeWords,
  noDetails,
  planPage,
} from '../notices/words.ts';
import { findSubscription, type Subscription } from '../subscriptions/subscriptions.repository.ts';
import type { StaffAction } from './staff-actions.repository.ts';
import { freeTimeEffect } from './staff-rules.ts';

/** Emails the subscriber about a staff action. */
export async function mailStaffAction(
  trx: Trx,
  deps: BillingDeps,
  action: StaffAction,
): Promise<void> {
  const row = await findSubscription(trx, action.user_id);
  const key =
    action.kind === 'refund' ? `refund:${action.provider_id}` : `staff-action:${action.id}`;
  const { currency } = await findCatalogue(trx, deps, action.user_id);
  await sendNotice(trx, deps, action.user_id, key, (to) => wordsOf(to, action, row, currency));
}

function wordsOf(
  to: Addressee,
  { kind, amount_cents, until }: StaffAction,
  row: Subscription | undefined,
  currency: string,
): Words {
  const detailed = to.customer.email_proven;
  const amount = money(amount_cents ?? 0, currency);
  const footer = `Your plan: ${planPage(to)}`;
  switch (kind) {
    case 'refund':
      if (!detailed) return compose(to, "We've sent you a refund", [noDetails, footer]);
      return compose(to, `We've refunded ${amount}`, [
        `We've refunded ${amount} to your card. It can take 5 to 10 days to appear on your statement.`,
        footer,
      ]);
    case 'credit':
      if (!detailed) return compose(to, "We've given you a credit", [noDetails, footer]);
      return compose(to, `We've given you a ${amount} credit`, [
        `We've added a ${amount} credit to your account. ${
          isBilledNext(row)
            ? "We'll take it off your next bill. Anything left over goes toward later ones."
            : "We'll take it off your next payment, if you have one."
        }`,
        footer,
      ]);
    case 'free_days':
    case 'extend_trial':
    case 'free_access':
      return freeTimeWords(to, { kind, row, until, footer }, currency);
    case 'cancel_now':
      return compose(to, 'Your subscription has ended', [
        "We've ended your subscription. You won't get any more texts, and you won't be charged again.",
        footer,
      ]);
    case 'cancel_at_period_end':
      return row === undefined
        ? compose(to, 'Your subscription is canceled', [footer])
        : changeWords(to, 'cancel', row, currency);
  }
}

/** A plan that is held, canceled or over has no next bill. */
const isBilledNext = (row: Subscription | undefined): boolean =>
  freeTimeEffect(row) === 'next_charge' || (row?.status === 'past_due' && row.hold === null);

interface FreeTime {
  kind: StaffAction['kind'];
  row: Subscription | undefined;
  until: Date | null;
  footer: string;
}

function freeTimeWords(
  to: Addressee,
  { kind, row, until, footer }: FreeTime,
  currency: string,
): Words {
  if (!to.customer.email_proven)
    return compose(to, "We've given you free texts", [noDetails, footer]);
  const day = until === null ? '' : dayOf(until, to.customer.timezone);
  const { next_charge_cents: cents = null } = row ?? {};
  const charge =
    freeTimeEffect(row) === 'next_charge' && cents !== null && until !== null
      ? `${nextChargeWords(to, until, cents, currency)} You can cancel anytime on your dashboard.`
      : "You won't be charged for them.";
  if (kind === 'extend_trial')
    return compose(to, `Your free trial now ends on ${day}`, [
      `We've extended your free trial, so your texts are free until ${day}. ${charge}`,
      footer,
    ]);
  return compose(to, `Your texts are free until ${day}`, [
    `We've given you free texts until ${day}. ${charge}`,
    footer,
  ]);
}
