import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import { expect, test } from 'vitest';
import { promotionOf, shareByEmail, shareBySms } from './promotion.ts';

const catalogue: PublicCatalogue = {
  product_name: 'Daylift',
  support_email: 'support@example.com',
  company_name: 'Daylift Example, Inc.',
  terms_effective_date: '2026-11-24',
  refund_policy: '',
  countries: [],
  currency: 'usd',
  trial_days: 3,
  referral_credit_cents: 125,
  lost_days_per_month: 31,
  plans: [
    { id: 'monthly', name: 'Monthly', price_cents: 499, interval: 'month', saving_percent: 0 },
  ],
};

test('the promotion has the amounts of the catalogue', () => {
  expect(promotionOf(catalogue)).toBe(
    "For every friend that signs up using your referral link, you'll get $1.25 off your next monthly bill (25% discount).",
  );
  expect(
    promotionOf({
      ...catalogue,
      referral_credit_cents: 100,
      plans: catalogue.plans.map((plan) => ({ ...plan, price_cents: 199 })),
    }),
  ).toContain('$1.00 off your next monthly bill (50% discount)');
});

test('a link keeps its query inside a prefilled message', () => {
  const link = 'https://example.com/signup?ref=A&b';
  expect(new URL(shareByEmail('Hi & you', link)).searchParams.get('body')).toBe(link);
  expect(shareBySms(link)).toBe(`sms:?&body=${encodeURIComponent(link)}`);
});
