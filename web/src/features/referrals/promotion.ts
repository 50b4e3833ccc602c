import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import { defaultPlan } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';

/** Describes the referral credit relative to the monthly price. */
export const promotionOf = (catalogue: PublicCatalogue): string => {
  const { referral_credit_cents: credit, currency } = catalogue;
  const monthly = catalogue.plans.find(({ id }) => id === defaultPlan);
  const discount = monthly
    ? ` (${Math.round((100 * credit) / monthly.price_cents)}% discount)`
    : '';
  return `For every friend that signs up using your referral link, you'll get ${formatMoney(credit, currency)} off your next monthly bill${discount}.`;
};

export const shareBySms = (words: string): string => `sms:?&body=${encodeURIComponent(words)}`;

export const shareByEmail = (subject: string, words: string): string =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(words)}`;

export const invitation = (product: string, link: string): string =>
  `I get a motivational text from ${product} and thought of you. Try it with my link: ${link}`;
