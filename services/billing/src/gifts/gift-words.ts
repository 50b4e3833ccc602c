import { type GiftLength, monthsInWords } from '@daylift/contracts/plans';
import { composeMail, type Words } from '@daylift/mail/compose-mail';
import { type Addressee, compose, dayOf, money, noDetails, planPage } from '../notices/words.ts';
import type { Product } from '../product.ts';
import { giftLink } from './gift-codes.ts';
import type { Gift } from './gifts.repository.ts';

/** The receipt with the link. The buyer's address is unproven, so the mail has no name. */
export function giftBought(
  product: Product,
  { months, paid_cents, tax_cents, currency, invoice_id }: Gift,
  pdfUrl: string | null,
): Words {
  const amount = money(paid_cents ?? 0, currency ?? 'usd');
  const length = monthsInWords(months);
  return composeMail(null, product, `Your gift of ${length} of ${product.name}`, [
    `Thank you. We charged your card ${amount} for ${length} of ${product.name}. Share this private link with the person it's for:`,
    // Without a label, or it would be a button. The buyer copies it.
    giftLink(product.publicUrl),
    "Anyone who has the link can redeem the gift, once. It doesn't expire, and it never renews. We don't contact the person it's for: they sign up with their own phone number, and choose the hour of their texts.",
    [
      `Gift: ${length}`,
      ...(tax_cents ? [`Tax: ${money(tax_cents, currency ?? 'usd')}`] : []),
      `Amount: ${amount}`,
      ...(invoice_id === null ? [] : [`Reference: ${invoice_id}`]),
      // Not a paragraph, or it would be the email's button.
      ...(pdfUrl === null ? [] : [`PDF: ${pdfUrl}`]),
    ].join('\n'),
  ]);
}

export function giftRedeemed(
  to: Addressee,
  { months, until, movesCharge }: { months: GiftLength; until: Date; movesCharge: boolean },
): Words {
  const footer = `Your plan: ${planPage(to)}`;
  if (!to.customer.email_proven) return compose(to, "You've redeemed a gift", [noDetails, footer]);
  const day = dayOf(until, to.customer.timezone);
  return compose(to, `Your texts are free until ${day}`, [
    `You've redeemed a gift of ${monthsInWords(months)}, so your texts are free until ${day}. ${
      movesCharge
        ? 'Your next charge moves to that day. You can cancel anytime on your dashboard.'
        : "You won't be charged."
    }`,
    footer,
  ]);
}

export function giftEnding(to: Addressee, end: Date): Words {
  const page = `Choose a plan: ${planPage(to)}`;
  if (!to.customer.email_proven) return compose(to, 'Your gift ends soon', [noDetails, page]);
  const day = dayOf(end, to.customer.timezone);
  return compose(to, `Your gift ends on ${day}`, [
    `Your free texts end on ${day}. You won't be charged, and your texts will stop then.`,
    'To keep getting them, choose a plan and add a card.',
    page,
  ]);
}

export function giftRestored(
  to: Addressee,
  { until, hasResumed }: { until: Date; hasResumed: boolean },
): Words {
  const end = to.customer.email_proven
    ? ` They're free until ${dayOf(until, to.customer.timezone)}.`
    : '';
  const texts = hasResumed ? 'have resumed' : 'continue';
  return compose(to, 'Your gift is back', [
    `The problem with your gift's payment is resolved, so your texts ${texts}.${end}`,
    `Your plan: ${planPage(to)}`,
  ]);
}

export function giftShortened(
  to: Addressee,
  { until, isCharged }: { until: Date; isCharged: boolean },
): Words {
  const page = `Your plan: ${planPage(to)}`;
  if (!to.customer.email_proven) return compose(to, 'Your gift ends early', [noDetails, page]);
  const day = dayOf(until, to.customer.timezone);
  return compose(to, `Your free texts now end on ${day}`, [
    `The payment for your gift was returned to the buyer, so your free texts now end on ${day}.`,
    isCharged
      ? "Your next charge moves to that day. If you don't want to be charged, cancel your plan before then."
      : "Your plan is canceled, so you won't be charged.",
    page,
  ]);
}

export function giftReturned(to: Addressee): Words {
  return compose(to, 'Your gift is on hold', [
    "The payment for your gift was refunded or disputed, so we've paused its free texts. If a dispute is resolved in our favor, they'll resume.",
    'To keep getting texts now, choose a plan.',
    `Choose a plan: ${planPage(to)}`,
  ]);
}
