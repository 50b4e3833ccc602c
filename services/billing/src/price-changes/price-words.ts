import { perPeriod } from '@daylift/contracts/plans';
import type { Words } from '@daylift/mail/compose-mail';
import { type Addressee, compose, dayOf, money, noDetails, planPage } from '../notices/words.ts';
import type { PriceChange } from './price-changes.repository.ts';

type PriceNotice = Pick<PriceChange, 'plan' | 'from_cents' | 'to_cents' | 'currency'> & {
  at: Date;
};

const each = (cents: number, { plan, currency }: PriceNotice): string =>
  `${money(cents, currency)} ${perPeriod(plan)}`;

/** `declineUrl` works without a sign-in, so it isn't sent to an unconfirmed address. */
export function priceChanges(
  to: Addressee,
  notice: PriceNotice,
  {
    hasDiscount,
    hasTax,
    declineUrl,
  }: { hasDiscount: boolean; hasTax: boolean; declineUrl: string },
): Words {
  if (!to.customer.email_proven)
    return compose(to, 'The price of your plan is changing', [
      `The price of your ${to.product.name} plan is changing at an upcoming renewal. Your plan page shows the price, the date and how to opt out.`,
      noDetails,
      `Your plan: ${planPage(to)}`,
    ]);
  const day = dayOf(notice.at, to.customer.timezone);
  return compose(to, `Your price changes on ${day}`, [
    `The price of your ${notice.plan} plan changes from ${each(notice.from_cents, notice)} to ${each(notice.to_cents, notice)}. You'll pay the new price for the first time on ${day}. Nothing changes before then.`,
    ...(hasDiscount ? ["Your promotion code's discount still applies."] : []),
    ...(hasTax ? ['Tax is added to both prices, as on your invoices so far.'] : []),
    `To keep your plan, you don't need to do anything. If you'd rather not pay the new price, you can keep your current price until ${day}, and your plan ends then.`,
    `Keep my current price and end my plan: ${declineUrl}`,
  ]);
}

/** Says that an announced price won't apply. */
export function priceStays(to: Addressee, notice: PriceNotice): Words {
  const footer = `Your plan: ${planPage(to)}`;
  if (!to.customer.email_proven)
    return compose(to, 'The price of your plan stays the same', [noDetails, footer]);
  return compose(to, 'Your price stays the same', [
    `We told you that the price of your ${notice.plan} plan would change to ${each(notice.to_cents, notice)} on ${dayOf(notice.at, to.customer.timezone)}. It won't: you'll keep paying ${each(notice.from_cents, notice)}.`,
    footer,
  ]);
}

/** Notifies a subscriber who opted out that the price stays the same but the plan still ends. */
export function declinedPriceStays(to: Addressee, notice: PriceNotice): Words {
  const footer = `Keep my plan: ${planPage(to)}`;
  if (!to.customer.email_proven)
    return compose(to, 'You can keep your plan at your current price', [noDetails, footer]);
  const day = dayOf(notice.at, to.customer.timezone);
  return compose(to, 'You can keep your plan at your current price', [
    `We told you that the price of your ${notice.plan} plan would change to ${each(notice.to_cents, notice)} on ${day}. We've canceled that change, so the price stays ${each(notice.from_cents, notice)}.`,
    `You opted out of the new price, so your plan still ends on ${day}. If that's what you want, you don't need to do anything. To keep your plan at your current price, choose Keep My Plan before then.`,
    footer,
  ]);
}

export function priceDeclined(to: Addressee, notice: PriceNotice): Words {
  const footer = `Keep my plan: ${planPage(to)}`;
  if (!to.customer.email_proven)
    return compose(to, 'Your plan ends instead of renewing at a new price', [noDetails, footer]);
  const day = dayOf(notice.at, to.customer.timezone);
  return compose(to, 'You keep your current price', [
    `You keep paying ${each(notice.from_cents, notice)} until ${day}. Your plan ends then, and you won't be charged again.`,
    'If you change your mind before then, you can undo this.',
    footer,
  ]);
}

export function priceAccepted(to: Addressee, notice: PriceNotice): Words {
  const day = dayOf(notice.at, to.customer.timezone);
  return compose(to, 'Your subscription continues', [
    to.customer.email_proven
      ? `Your plan continues. From ${day}, it costs ${each(notice.to_cents, notice)}.`
      : noDetails,
    `Your plan: ${planPage(to)}`,
  ]);
}
