import { type PlanId, planTerms } from '@daylift/contracts/plans';
import { composeMail, type Words } from '@daylift/mail/compose-mail';
import type { Product } from '../product.ts';

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

/** Where plans are changed and canceled. */
export const planPage = ({ product }: Addressee): string =>
  `${product.publicUrl}/dashboard?tab=plan`;

export const noDetails =
  "You haven't confirmed this email address yet, so we left the details out of this email. You can confirm your address on your dashboard.";

/** What follows when nothing is charged: the first payment after free ones, none ever, or one that credit covers. */
export type LaterPayment = { at: Date; amount: string } | 'none' | 'credit';

/** Says when nothing is charged, and what follows. */
function nothingCharged(to: Addressee, day: string, later: LaterPayment): string {
  if (later === 'credit') return `Your credit covers the payment, so nothing is charged ${day}.`;
  if (later === 'none') return `Nothing is charged ${day}: with your code, every payment is free.`;
  const next = dayOf(later.at, to.customer.timezone);
  return `Nothing is charged ${day}. Your first payment is ${later.amount}, on ${next}.`;
}

/** Says what the next payment charges: nothing if credit or a promotion code covers it. */
export function nextChargeWords(to: Addressee, at: Date, cents: number, currency: string): string {
  const day = dayOf(at, to.customer.timezone);
  return cents === 0
    ? `Your next payment is due on ${day}, but nothing will be charged.`
    : `Your next charge is ${money(cents, currency)} on ${day}.`;
}

export interface FirstCharge {
  plan: PlanId;
  at: Date;
  /** With its interval, such as "$4.99 a month". */
  price: string;
  amount: string;
  /** Null if the card is charged then. */
  later: LaterPayment | null;
}

export function trialStarted(to: Addressee, { plan, at, price, later }: FirstCharge): Words {
  const day = dayOf(at, to.customer.timezone);
  const facts = [`Plan: ${planTerms[plan].name}`, `Free until: ${day}`, `Then: ${price}`];
  return compose(to, 'Your free trial has started', [
    `Your free trial of ${to.product.name} has started. Here are the dates and the price, so there are no surprises.`,
    [...facts, ...(later === null ? [`First charge: ${day}`] : [])].join('\n'),
    ...(later === null ? [] : [nothingCharged(to, `on ${day}`, later)]),
    `You can cancel anytime on your dashboard. Cancel before ${day} and you won't be charged. We'll remind you the day before.`,
    `Your plan and how to cancel: ${planPage(to)}`,
  ]);
}

interface TrialEnd {
  at: Date;
  amount: string;
  /** Null if the amount is charged. */
  later: LaterPayment | null;
  /** The price of a promotion code that still applies. */
  offer: string | null;
}

/** For a plan chosen during free texts: immediately, and again a day before its first charge. */
export function firstCharge(
  to: Addressee,
  { plan, at, price, amount, later }: FirstCharge,
  cancelUrl: string,
): Words {
  if (!to.customer.email_proven)
    return compose(to, 'Your plan starts after your free texts', [
      noDetails,
      `Your plan: ${planPage(to)}`,
    ]);
  const day = dayOf(at, to.customer.timezone);
  return compose(to, `Your plan starts on ${day}`, [
    `Your texts are free until ${day}, and continue after that. ${
      later === null
        ? `Your card will then be charged ${amount}.`
        : nothingCharged(to, 'then', later)
    }`,
    [`Plan: ${planTerms[plan].name}`, `Price: ${price}`].join('\n'),
    "If you'd rather not continue, cancel before then and you won't be charged.",
    `Cancel my plan: ${cancelUrl}`,
  ]);
}

/** `cancelUrl` cancels without a sign-in, so it isn't sent to an unconfirmed address. */
export function trialReminder(
  to: Addressee,
  { at, amount, later, offer, cancelUrl }: TrialEnd & { cancelUrl: string },
): Words {
  const day = dayOf(at, to.customer.timezone);
  return compose(to, `Your free trial ends on ${day}`, [
    later === null
      ? `Your free trial of ${to.product.name} ends on ${day}. Your card will then be charged ${amount}, and your texts will continue.`
      : `Your free trial of ${to.product.name} ends on ${day}, and your texts will continue. ${nothingCharged(to, 'then', later)}`,
    ...(offer === null ? [] : [`Your price: ${offer}.`]),
    "If you'd rather not continue, cancel before then and you won't be charged.",
    `Cancel my plan: ${to.customer.email_proven ? cancelUrl : planPage(to)}`,
  ]);
}

/** For a trial without a card, which ends without a charge. */
export function trialEnding(to: Addressee, end: { at: Date; price: string }): Words {
  if (!to.customer.email_proven)
    return compose(to, 'Your free trial ends soon', [
      `Your free trial of ${to.product.name} ends soon.`,
      noDetails,
      `See the details: ${planPage(to)}`,
    ]);
  const day = dayOf(end.at, to.customer.timezone);
  return compose(to, `Your free trial ends on ${day}`, [
    `Your free trial of ${to.product.name} ends on ${day}. You won't be charged, and your texts will stop then.`,
    `To keep getting them, choose a plan and add a card (${end.price}, charged right away).`,
    `Choose a plan: ${to.product.publicUrl}/upgrade`,
  ]);
}

export interface Payment {
  at: Date;
  amount: string;
  /** Taken off by a promotion code, not included in the amount. */
  discount: string | null;
  /** Included in the amount before credit. */
  tax: string | null;
  /** Credit applied, not included in the amount. */
  credit: string | null;
  number: string;
  plan: PlanId;
  period: { start: Date; end: Date } | null;
  card: { brand: string; last4: string } | null;
  pdfUrl: string | null;
}

export function receipt(to: Addressee, paid: Payment): Words {
  const subject = `Your receipt from ${to.product.name}`;
  if (!to.customer.email_proven)
    return compose(to, subject, [
      'Thank you for your payment.',
      noDetails,
      `See the details: ${planPage(to)}`,
    ]);
  const day = (instant: Date) => dayOf(instant, to.customer.timezone);
  const { period, card } = paid;
  return compose(to, subject, [
    `Thank you. We charged your card ${paid.amount} on ${day(paid.at)}.`,
    [
      `Plan: ${planTerms[paid.plan].name}`,
      ...(period === null ? [] : [`Period: ${day(period.start)} to ${day(period.end)}`]),
      ...(card === null ? [] : [`Card: ${brandName(card.brand)} ending in ${card.last4}`]),
      ...(paid.discount === null ? [] : [`Discount: ${paid.discount}`]),
      ...(paid.tax === null ? [] : [`Tax: ${paid.tax}`]),
      ...(paid.credit === null ? [] : [`Credit used: ${paid.credit}`]),
      `Amount: ${paid.amount}`,
      `Reference: ${paid.number}`,
    ].join('\n'),
    ...(paid.pdfUrl === null ? [] : [`Download the PDF: ${paid.pdfUrl}`]),
    `Your plan and how to cancel: ${planPage(to)}`,
  ]);
}

/** `visa` becomes `Visa`; `amex` and `jcb` are abbreviations. */
const brandName = (brand: string): string =>
  ({ amex: 'American Express', jcb: 'JCB', mastercard: 'Mastercard' })[brand] ??
  brand.charAt(0).toUpperCase() + brand.slice(1);

export function disputeOpened(to: Addressee, amount: string): Words {
  return compose(to, 'Your texts are paused', [
    to.customer.email_proven
      ? `Your bank is reviewing a payment of ${amount} to ${to.product.name}, so your texts are paused until it's settled. We won't charge you in the meantime.`
      : `Your bank is reviewing a payment to ${to.product.name}, so your texts are paused until it's settled. We won't charge you in the meantime.`,
    "If you didn't mean to dispute it, please ask your bank to withdraw the dispute.",
    `Your plan: ${planPage(to)}`,
  ]);
}

export function disputeWon(to: Addressee): Words {
  return compose(to, 'Your texts are back', [
    'Your bank has finished its review, and your payment stands. Your texts have resumed.',
    `Your plan: ${planPage(to)}`,
  ]);
}

export function disputeLost(to: Addressee, amount: string): Words {
  return compose(to, 'Your subscription has ended', [
    to.customer.email_proven
      ? `Your bank has returned ${amount} to you, so your subscription has ended. You won't be charged again.`
      : "Your bank has returned your payment, so your subscription has ended. You won't be charged again.",
    'You can subscribe again anytime.',
    `Subscribe again: ${planPage(to)}`,
  ]);
}

export function renewalStopped(to: Addressee, facts: { endsAt: Date; isTrial: boolean }): Words {
  const day = dayOf(facts.endsAt, to.customer.timezone);
  return compose(to, "Your subscription won't renew", [
    "You asked us to stop, so you won't get any more texts from us.",
    facts.isTrial
      ? `Your free trial ends on ${day}, and you won't be charged.`
      : `Your subscription ends on ${day}, and you won't be charged again.`,
    'If that was a mistake, text START before then and everything continues as before.',
    `Your plan: ${planPage(to)}`,
  ]);
}

export function renewalRestored(to: Addressee, renewsAt: Date): Words {
  return compose(to, 'Your subscription continues', [
    `You replied START, so your texts are back on, and your subscription renews on ${dayOf(renewsAt, to.customer.timezone)}.`,
    'You can cancel anytime on your dashboard.',
    `Your plan: ${planPage(to)}`,
  ]);
}

export function referralCredit(
  to: Addressee,
  credit: { amount: string; billAt: Date | null },
): Words {
  const page = `Your referrals: ${to.product.publicUrl}/dashboard?tab=referrals`;
  const thanks = 'A friend who signed up with your link has made their first payment. Thank you.';
  if (!to.customer.email_proven)
    return compose(to, 'Your friend has subscribed', [thanks, noDetails, page]);
  const bill =
    credit.billAt === null
      ? 'your next bill'
      : `your next bill, on ${dayOf(credit.billAt, to.customer.timezone)}`;
  return compose(to, `You've earned ${credit.amount}`, [
    thanks,
    `You've earned ${credit.amount}. We'll take it off ${bill}.`,
    page,
  ]);
}

/** `charged` is what was charged, what follows when that was nothing, or null if the card was declined. */
export function trialAlreadyUsed(
  to: Addressee,
  charged: { amount: string; later: LaterPayment | null } | null,
): Words {
  const had = `Your card, email address or phone number was already used for a free trial of ${to.product.name}`;
  const subject = charged === null ? 'Your free trial has ended' : 'Your subscription has started';
  return compose(to, subject, [
    charged === null
      ? `${had}, so this one has ended.`
      : `${had}, so your subscription starts now${chargedNow(to, charged)}`,
    `You can cancel anytime on your dashboard. ${to.product.refundPolicy}`,
    `Your plan: ${planPage(to)}`,
  ]);
}

function chargedNow(
  to: Addressee,
  { amount, later }: { amount: string; later: LaterPayment | null },
): string {
  const isProven = to.customer.email_proven;
  if (later === null) return ` and your card is charged${isProven ? ` ${amount}` : ''}.`;
  return `. ${isProven ? nothingCharged(to, 'today', later) : 'Nothing is charged today.'}`;
}
