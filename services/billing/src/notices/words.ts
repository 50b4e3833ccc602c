import type { PlanId } from '@daylift/contracts/fields';
import type { Product } from '../deps.ts';
import { graceMs } from '../subscriptions/entitlement.ts';

export interface Words {
  subject: string;
  text: string;
}

/** Of whom and from whom a mail speaks. */
export interface Letter {
  product: Product;
  customer: { name: string; timezone: string };
}

export function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

/** A day as the reader's own calendar has it, such as March 7, 2027. */
export function dayOf(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(instant);
}

export function letter(
  { product, customer }: Letter,
  subject: string,
  paragraphs: string[],
): Words {
  const signature = `${product.name}\nQuestions? Write to ${product.supportEmail}.`;
  return {
    subject,
    text: [`Hello ${customer.name},`, ...paragraphs, signature].join('\n\n'),
  };
}

export const dashboard = ({ product }: Letter): string => `${product.publicUrl}/dashboard`;

export function trialReminder(to: Letter, charge: { at: Date; amount: string }): Words {
  const day = dayOf(charge.at, to.customer.timezone);
  return letter(to, `Your free trial ends on ${day}`, [
    `Your free trial of ${to.product.name} ends on ${day}. Your card will then be charged ${charge.amount}, and your texts go on.`,
    `If you would rather not continue, cancel before then and you pay nothing: ${dashboard(to)}`,
  ]);
}

/** Of a trial without a card, in which nothing is charged. */
export function trialEnding(to: Letter, end: { at: Date; amount: string; plan: PlanId }): Words {
  const day = dayOf(end.at, to.customer.timezone);
  const interval = end.plan === 'yearly' ? 'year' : 'month';
  return letter(to, `Your free trial ends on ${day}`, [
    `Your free trial of ${to.product.name} ends on ${day}. Nothing is charged, and your texts stop then.`,
    `If you would like them to go on, choose your plan and give a card (${end.amount} a ${interval}, paid from the start): ${to.product.publicUrl}/upgrade`,
  ]);
}

export function receipt(to: Letter, paid: { at: Date; amount: string; number: string }): Words {
  return letter(to, `Your receipt from ${to.product.name}`, [
    `Thank you. On ${dayOf(paid.at, to.customer.timezone)} your card was charged ${paid.amount}.`,
    `Reference: ${paid.number}`,
    `Your subscription and how to cancel it: ${dashboard(to)}`,
  ]);
}

export function failedPayment(to: Letter, amount: string): Words {
  const days = graceMs / (24 * 60 * 60 * 1000);
  return letter(to, 'Your payment did not go through', [
    `We could not charge your card ${amount} for ${to.product.name}. Nothing was taken.`,
    `Your texts go on for ${days} days while we try again. Please check your card: ${dashboard(to)}`,
  ]);
}

export function renewalStopped(to: Letter, facts: { endsAt: Date; isTrial: boolean }): Words {
  const day = dayOf(facts.endsAt, to.customer.timezone);
  return letter(to, 'Your subscription will not renew', [
    'You replied STOP, so you get no more texts from us.',
    facts.isTrial
      ? `Your free trial ends on ${day}, and you will not be charged.`
      : `Your subscription ends on ${day}, and you will not be charged again.`,
    `If that was not what you meant, text START before then and everything goes on as before: ${dashboard(to)}`,
  ]);
}

export function renewalRestored(to: Letter, renewsAt: Date): Words {
  return letter(to, 'Your subscription goes on', [
    `You replied START: your texts come again, and your subscription renews on ${dayOf(renewsAt, to.customer.timezone)}.`,
    `You can cancel it any time: ${dashboard(to)}`,
  ]);
}

export function trialAlreadyUsed(to: Letter, amount: string): Words {
  return letter(to, 'Your subscription has started', [
    `The card that you gave has had a free trial of ${to.product.name} before, and there is one per card. Your subscription has therefore started at once, and your card is charged ${amount}.`,
    `If you would rather not continue, write to us within a few days and we give the money back. You can cancel any time: ${dashboard(to)}`,
  ]);
}
