import { dayMs } from '@daylift/clock/durations';
import type { PlanId } from '@daylift/contracts/fields';
import { composeMail, type Words } from '@daylift/mail/compose-mail';
import type { Product } from '../deps.ts';
import { graceMs } from '../subscriptions/entitlement.ts';

export interface Addressee {
  product: Product;
  /** An unconfirmed address may belong to a stranger, so mail to it has no name and no details. */
  customer: { name: string; timezone: string; email_proven: boolean };
}

export function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

export function dayOf(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(instant);
}

export const compose = (
  { product, customer }: Addressee,
  subject: string,
  paragraphs: string[],
): Words => composeMail(customer.email_proven ? customer.name : null, product, subject, paragraphs);

export const dashboard = ({ product }: Addressee): string => `${product.publicUrl}/dashboard`;

export function trialReminder(to: Addressee, charge: { at: Date; amount: string }): Words {
  const day = dayOf(charge.at, to.customer.timezone);
  return compose(to, `Your free trial ends on ${day}`, [
    `Your free trial of ${to.product.name} ends on ${day}. Your card will then be charged ${charge.amount}, and your texts will continue.`,
    `If you'd rather not continue, cancel before then and you won't be charged: ${dashboard(to)}`,
  ]);
}

/** For a trial without a card, which ends without a charge. */
export function trialEnding(to: Addressee, end: { at: Date; amount: string; plan: PlanId }): Words {
  if (!to.customer.email_proven)
    return compose(to, 'Your free trial ends soon', [
      `Your free trial of ${to.product.name} ends soon. Sign in to see the details: ${dashboard(to)}`,
    ]);
  const day = dayOf(end.at, to.customer.timezone);
  const interval = end.plan === 'yearly' ? 'year' : 'month';
  return compose(to, `Your free trial ends on ${day}`, [
    `Your free trial of ${to.product.name} ends on ${day}. You won't be charged, and your texts will stop then.`,
    `To keep getting them, choose a plan and add a card (${end.amount} a ${interval}, charged right away): ${to.product.publicUrl}/upgrade`,
  ]);
}

export function receipt(to: Addressee, paid: { at: Date; amount: string; number: string }): Words {
  const subject = `Your receipt from ${to.product.name}`;
  if (!to.customer.email_proven)
    return compose(to, subject, [
      `Thank you for your payment. Sign in to see the details: ${dashboard(to)}`,
    ]);
  return compose(to, subject, [
    `Thank you. On ${dayOf(paid.at, to.customer.timezone)} your card was charged ${paid.amount}.`,
    `Reference: ${paid.number}`,
    `Your subscription and how to cancel it: ${dashboard(to)}`,
  ]);
}

export function failedPayment(to: Addressee, amount: string): Words {
  const days = graceMs / dayMs;
  return compose(to, "Your payment didn't go through", [
    to.customer.email_proven
      ? `We couldn't charge your card ${amount} for ${to.product.name}.`
      : `We couldn't charge your card for ${to.product.name}.`,
    `You'll keep getting your texts for ${days} days while we try again. Please check your card: ${dashboard(to)}`,
  ]);
}

export function renewalStopped(to: Addressee, facts: { endsAt: Date; isTrial: boolean }): Words {
  const day = dayOf(facts.endsAt, to.customer.timezone);
  return compose(to, "Your subscription won't renew", [
    "You replied STOP, so you won't get any more texts from us.",
    facts.isTrial
      ? `Your free trial ends on ${day}, and you won't be charged.`
      : `Your subscription ends on ${day}, and you won't be charged again.`,
    `If you didn't mean to, text START before then and everything continues as before: ${dashboard(to)}`,
  ]);
}

export function renewalRestored(to: Addressee, renewsAt: Date): Words {
  return compose(to, 'Your subscription continues', [
    `You replied START, so your texts are back on, and your subscription renews on ${dayOf(renewsAt, to.customer.timezone)}.`,
    `You can cancel anytime: ${dashboard(to)}`,
  ]);
}

export function trialAlreadyUsed(to: Addressee, amount: string): Words {
  const charged = to.customer.email_proven ? `is charged ${amount}` : 'is charged';
  return compose(to, 'Your subscription has started', [
    `Your card, email address or phone number has already had a free trial of ${to.product.name}, so your subscription starts now and your card ${charged}.`,
    `If you'd rather not continue, write to us within a few days and we'll refund you. You can cancel anytime: ${dashboard(to)}`,
  ]);
}
